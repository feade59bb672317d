import {
  addConfiguration,
  changeConfiguration,
  listConfigurations,
  removeConfiguration,
  showConfiguration,
} from "../../models/configurations.ts";
import { permitted } from "./permitted.ts";

/** CO-13: how applications talk to models. */
export const configurationFlow = {
  add: permitted("operate", addConfiguration),
  change: permitted("operate", changeConfiguration),
  remove: permitted("operate", removeConfiguration),
  list: permitted("read", listConfigurations),
  show: permitted("read", showConfiguration),
};
