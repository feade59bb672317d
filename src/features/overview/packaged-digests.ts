import type { Digest } from "../../core/digest.ts";

/**
 * The example skills as they are packaged, by folder. Only these bytes are approved for the demonstration: an example that
 * somebody changed waits for a person like any other skill.
 */
export const packagedDigests: Readonly<Record<string, Digest>> = {
  "catalogue-translation": "6754cf5cbeb893920ee002739545a8d9051cd91fbf948af9305e71c8da2e5aee",
  "fennel-staging": "71c3076bb2f934299932d3d9b7cf0e9d08248f7e6fcf0e52ed234152c0c5590c",
  "incident-postmortem": "a137f6813db26a0bcb6d6865412e10e2ab6bc9f2807cdadefae5d89ed34b06a7",
  "invoice-reconciliation": "4cc5bf7b23ffa7c6b2207f10f94a5def0081ba52c61bb387c20ef0b138426527",
  "recipe-scaling": "64c7d5ef87f1e1e12fc71f15cd7ab14306b78285adf6a9dca79a701d20db053e",
  "terminology-brief": "2a64260eaddcd075b4e55b1fdee79002eb34595b373ebf2ba66ccab9f3684b37",
  "tidewater-warehouse": "cd88c798a16b9234eca897b3610d44a3aa168f2568ffaf38baa2246846db8d58",
  "web-accessibility-audit": "3214561bbbd42aad16609fbba78679ffe8ce490687d718bd97de8d61a3fb13b2",
};
