import type { Embedder, Model } from "../core/model.ts";
import type { Transport } from "../core/transport.ts";
import { echoModel } from "./echo.ts";
import { replyOf, scriptedModel } from "./scripted.ts";
import type { Configuration, Provider } from "./schema.ts";

/** What a model is reached with: the provider as the admins set it, its secret opened, and the way out. */
interface Reach {
  readonly provider: Pick<Provider, "protocol" | "origin">;
  readonly secret: string | null;
  readonly transport: Transport;
}

/** The model of a configuration. Protocols that answer by themselves never use the transport (CO-18). */
export async function createModel(
  reach: Reach & { readonly configuration: Pick<Configuration, "model" | "parameters"> },
): Promise<Model> {
  const { configuration, ...rest } = reach;
  const { protocol } = reach.provider;
  if (protocol === "echo") return echoModel();
  if (protocol === "scripted") return scriptedModel({ rules: [{ reply: replyOf(configuration.parameters) }] });
  const { sdkModel } = await import("./sdk/sdk.ts");
  return sdkModel({ ...rest, model: configuration.model });
}

/** What makes vectors of texts, by a model that may be another than the configuration's own. */
export async function createEmbedder(reach: Reach & { readonly model: string }): Promise<Embedder> {
  const { protocol } = reach.provider;
  if (protocol === "echo" || protocol === "scripted") return (await import("./echo-transport.ts")).echoEmbedder();
  const { sdkEmbedder } = await import("./sdk/sdk.ts");
  return sdkEmbedder(reach);
}
