import { useState } from "preact/hooks";
import type { Configuration } from "#contract";
import { segment } from "../lib/api.ts";
import { bytes } from "../lib/format.ts";
import { useResource } from "../lib/resource.ts";
import { go, place, to } from "../lib/router.ts";
import { may } from "../lib/session.ts";
import { Button, Card, Empty, Facts, Loaded, Tag } from "../ui/parts.tsx";
import { Shell } from "../ui/shell.tsx";
import { ConfigurationForm } from "./configuration-form.tsx";
import { TargetPage } from "./target.tsx";
import { Table } from "../ui/table.tsx";

/** CO-13: how applications talk to models, and with which skills. */
export function ConfigurationsPage() {
  const [id] = place.value.parts;
  return id === undefined || id === "" ? <List /> : <One id={id} />;
}

function List() {
  const all = useResource<readonly Configuration[]>("/api/configurations");
  const [isAdding, setAdding] = useState(false);
  const add = <Button onClick={() => setAdding(true)}>Add a configuration</Button>;
  return (
    <Shell
      title="Configurations"
      about="how applications talk to models, and with which skills"
      tools={may("operate") && add}
    >
      <Loaded of={all}>
        {(items) => (
          <Card>
            {items.length === 0 ? (
              <Empty title="No configuration yet">
                An application names one as its model, and gets its skills in every prompt.
              </Empty>
            ) : (
              <Table label="Configurations" columns={["Name", "Model", "Routing", { title: "Budget", isNumber: true }]}>
                {items.map(({ id, provider, model, routing, budget }) => (
                  <tr key={id}>
                    <td class="wrap">
                      <a href={to("configurations", id)}>{id}</a>
                    </td>
                    <td class="wrap">
                      {model} <span class="faint">{provider}</span>
                    </td>
                    <td>{routing.enabled ? <Tag tone="accent">on</Tag> : <Tag>off</Tag>}</td>
                    <td class="number">{bytes(budget)}</td>
                  </tr>
                ))}
              </Table>
            )}
          </Card>
        )}
      </Loaded>
      {isAdding && (
        <ConfigurationForm
          before={null}
          onClose={() => setAdding(false)}
          onDone={({ id }) => go(to("configurations", id))}
        />
      )}
    </Shell>
  );
}

function One({ id }: { readonly id: string }) {
  const path = `/api/configurations/${segment(id)}`;
  return (
    <TargetPage
      kind="configurations"
      about="configuration"
      id={id}
      path={path}
      of={useResource<Configuration>(path)}
      previewOf={() => ({ configuration: id })}
      consequence="Applications that name it are refused from the next request on. What was recorded of it stays."
      form={(before, form) => <ConfigurationForm before={before} {...form} />}
    >
      {(configuration) => (
        <Card title="Settings">
          <div class="card-body">
            <Settings of={configuration} />
          </div>
        </Card>
      )}
    </TargetPage>
  );
}

function Settings({ of }: { readonly of: Configuration }) {
  const {
    provider,
    model,
    systemPrompt,
    placement,
    routing,
    routable,
    budget,
    contextTokens,
    trustFloor,
    systemFloor,
  } = of;
  return (
    <Facts
      of={[
        ["Provider", provider],
        ["Model", model],
        ["Placed in", placement === "user" ? "the first user message" : "a system message, from the floor up"],
        ["Budget", bytes(budget)],
        ["Context", contextTokens === null ? "not known" : `${contextTokens} tokens`],
        ["Trust floor", trustFloor],
        ["System floor", systemFloor],
        ["Routing", routing.enabled ? `on the ${routing.routeOn} message` : "off"],
        ["May choose", routable.length === 0 ? "what is attached" : routable.join(", ")],
        ["System prompt", systemPrompt === "" ? "none" : <span class="text">{systemPrompt}</span>],
      ]}
    />
  );
}
