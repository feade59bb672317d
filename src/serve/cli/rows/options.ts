export const json = { flags: "--json", about: "print the result as JSON" };

const places = [
  { flags: "--config <file>", about: "the configuration file" },
  { flags: "--data <folder>", about: "the data folder" },
];

/** What every command takes that only looks: nothing is refused, so that there is nothing to accept. */
export const lookOptions = [...places, json];

/** What every command takes that opens the store. */
export const storeOptions = [
  ...places,
  { flags: "--accept-rollback", about: "go on with a database that is behind its checkpoint; this is recorded" },
  json,
];
