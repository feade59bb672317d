import manifest from "../../package.json" with { type: "json" };

/** Every release may know more than the one before: what an older one looked at is looked at again. */
export const scannerVersion: string = manifest.version;
