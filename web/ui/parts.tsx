import { cloneElement, type ComponentChildren, type VNode } from "preact";
import { useId } from "preact/hooks";
import type { Finding } from "#contract";
import type { Problem } from "../lib/api.ts";
import type { Resource } from "../lib/resource.ts";
import { blocks } from "../skills/findings.ts";

export type Tone = "ok" | "bad" | "warn" | "accent" | "plain";

export function Tag({ tone = "plain", title, children }: TagProps) {
  return (
    <span class={tone === "plain" ? "tag" : `tag ${tone}`} title={title}>
      {children}
    </span>
  );
}

interface TagProps {
  readonly tone?: Tone;
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}

interface ButtonProps {
  readonly onClick?: () => void;
  readonly kind?: "primary" | "danger" | "quiet";
  readonly type?: "button" | "submit";
  /** The id of the form that it submits, where it stands outside of it. */
  readonly form?: string;
  readonly disabled?: boolean;
  /** Why it is disabled, or what it does. */
  readonly title?: string | undefined;
  /** The key that does the same. */
  readonly shortcut?: string;
  readonly children: ComponentChildren;
}

export function Button({
  onClick,
  kind,
  type = "button",
  form,
  disabled = false,
  title,
  shortcut,
  children,
}: ButtonProps) {
  return (
    <button
      type={type}
      form={form}
      class={kind === undefined ? "button" : `button ${kind}`}
      onClick={onClick}
      disabled={disabled}
      title={title}
      aria-keyshortcuts={shortcut}
    >
      {children}
      {shortcut !== undefined && <kbd aria-hidden="true">{shortcut}</kbd>}
    </button>
  );
}

/** A part of a page with its own heading. */
export function Card({ title, tools, children }: CardProps) {
  return (
    <section class="card" aria-label={title}>
      {title !== undefined && (
        <div class="card-head">
          <h2>{title}</h2>
          {tools !== undefined && <div class="tools">{tools}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

interface CardProps {
  readonly title?: string;
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Notice({
  tone,
  children,
}: {
  readonly tone: "ok" | "bad" | "warn";
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}

export function ProblemNotice({ problem }: { readonly problem: Problem | undefined }) {
  return problem === undefined ? null : <Notice tone="bad">{problem.message}</Notice>;
}

/** What is wrong with what is shown, where it cannot be put right here. */
export function FindingNotices({ of }: { readonly of: readonly Finding[] }) {
  return (
    <>
      {of.map((finding) => (
        <Notice key={`${finding.code} ${finding.message}`} tone={blocks(finding) ? "bad" : "warn"}>
          {finding.message}
        </Notice>
      ))}
    </>
  );
}

/** Nothing is there yet: why, and what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

export function Loading() {
  return (
    <div class="loading" role="status">
      Loading…
    </div>
  );
}

/** What was asked for, once it is there; what went wrong, when it did. An older answer stays until a newer one is there. */
export function Loaded<Answer>({ of, children }: LoadedProps<Answer>) {
  const { data, problem } = of;
  if (data === undefined) return problem === undefined ? <Loading /> : <ProblemNotice problem={problem} />;
  return (
    <>
      <ProblemNotice problem={problem} />
      {children(data)}
    </>
  );
}

interface LoadedProps<Answer> {
  readonly of: Resource<Answer>;
  readonly children: (answer: Answer) => ComponentChildren;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** The one field that it is about. */
  readonly children: VNode;
}

/** A field with its label, which is the field's by being around it; the hint describes it, and is no part of its name. */
export function Field({ label, hint, children }: FieldProps) {
  const own = useId();
  return (
    <div class="field">
      <label>
        <span class="label">{label}</span>
        {hint === undefined ? children : cloneElement(children, { "aria-describedby": own })}
      </label>
      {hint !== undefined && (
        <span class="hint" id={own}>
          {hint}
        </span>
      )}
    </div>
  );
}

export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}
