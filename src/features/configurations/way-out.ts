import { AppError } from "../../core/error.ts";
import type { Embedder, Model } from "../../core/model.ts";
import type { Transport } from "../../core/transport.ts";
import type { Timer } from "../../core/world.ts";
import { createEmbedder, createModel } from "../../models/model.ts";
import { replyOf } from "../../models/scripted.ts";
import { secretToCover } from "../../models/sdk/covered-text.ts";
import type { Config } from "../../app/config/config-file.ts";
import { LazyTransport } from "../../app/transports.ts";
import type { Target } from "./targets.ts";
import type { Provider } from "../../models/schema.ts";

/** The one way to model services, under the policy `provider` (invariant 4). Opened at the first use. */
export class WayOut {
  readonly #network: LazyTransport;

  constructor(config: Config, timer: Timer) {
    this.#network = new LazyTransport(() => openTransport(config, timer));
  }

  /** What carries requests of this target: protocols that answer from within never reach the network (CO-18). */
  to({ provider, configuration, secret }: Target): Promise<Transport> {
    return this.through(provider, configuration.parameters, secret);
  }

  /** The same for a provider that is asked without a configuration. */
  async through(
    { protocol }: Pick<Provider, "protocol">,
    parameters: Target["configuration"]["parameters"],
    secret: string | null,
  ): Promise<Transport> {
    if (protocol !== "echo" && protocol !== "scripted") return withoutSecret(await this.#network.get(), secret);
    const { answeringTransport, echoTransport } = await import("../../models/echo-transport.ts");
    if (protocol === "echo") return echoTransport();
    const reply = replyOf(parameters);
    return answeringTransport(() => reply);
  }

  async model(target: Target): Promise<Model> {
    const { provider, configuration, secret } = target;
    return createModel({ provider, configuration, secret, transport: await this.to(target) });
  }

  async embedder(target: Target, model: string): Promise<Embedder> {
    const { provider, secret } = target;
    return createEmbedder({ provider, model, secret, transport: await this.to(target) });
  }

  /** Carries what is no request to a model: spans of traces. */
  network(): Promise<Transport> {
    return this.#network.get();
  }

  close(): Promise<void> {
    return this.#network.close();
  }
}

/** CO-16: a failure can name what a service said, the host of a redirect or an encoding; it never says the secret. */
function withoutSecret(transport: Transport, kept: string | null): Transport {
  const secret = secretToCover(kept);
  if (secret === null) return transport;
  return {
    async send(request) {
      try {
        return await transport.send(request);
      } catch (error) {
        throw isSaid(error, secret)
          ? new AppError(error.code, "the model service answered with its own secret")
          : error;
      }
    },
  };
}

const shownOfIt = 16;

/** In any case, since names of hosts have none, and also where a text was cut short within it. */
function isSaid(error: unknown, secret: string): error is AppError {
  const start = secret.slice(0, shownOfIt).toLowerCase();
  return error instanceof AppError && error.message.toLowerCase().includes(start);
}

async function openTransport({ network, gateway }: Config, timer: Timer) {
  const [{ createTransport }, { providerPolicy }, { providerLimits }] = await Promise.all([
    import("../../net/transport.ts"),
    import("../../net/policy.ts"),
    import("../../net/limits.ts"),
  ]);
  const [headers, idle] = [gateway.headersSeconds * 1000, gateway.idleSeconds * 1000];
  // Whoever lets an answer begin late lets it last as long.
  const total = Math.max(providerLimits.total, headers + idle);
  const limits = { ...providerLimits, connect: gateway.connectSeconds * 1000, headers, idle, total };
  return createTransport({ policy: providerPolicy(network.private), privatePairs: network.private, limits, timer });
}
