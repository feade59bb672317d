import { afterAll } from "vitest";
import { storeContract } from "./store-contract.ts";
import { postgresSchemas, sqlitePlace } from "../support/store-engines.ts";

const postgres = postgresSchemas();
afterAll(postgres.remove);

storeContract("SQLite", sqlitePlace);
storeContract("PostgreSQL", postgres.newPlace);
