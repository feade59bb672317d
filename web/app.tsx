import { type FunctionComponent, Component, type ComponentChildren } from "preact";
import { place } from "./lib/router.ts";
import { entranceProblem, session } from "./lib/session.ts";
import { ApiPage } from "./server/api-docs.tsx";
import { AuditPage } from "./audit/audit.tsx";
import { FirstPage, SignInPage, UnknownPage } from "./people/sign-in.tsx";
import { EvaluationsPage } from "./evaluation/evaluations.tsx";
import { OverviewPage } from "./overview/overview.tsx";
import { PeoplePage } from "./people/users.tsx";
import { ReviewPage } from "./review/review.tsx";
import { RoutingPage } from "./routing/routing.tsx";
import { ScopesPage } from "./scopes/scopes.tsx";
import { SettingsPage } from "./health/settings.tsx";
import { SkillsPage } from "./skills/list.tsx";
import { SourcesPage } from "./sources/list.tsx";
import { ConfigurationsPage } from "./configurations/configurations.tsx";
import { TasksPage } from "./configurations/tasks.tsx";
import { UsagePage } from "./usage/usage.tsx";
import { Loading, Notice, Empty } from "./ui/parts.tsx";
import { Shell } from "./ui/shell.tsx";

/** Every page by the first part of its place. */
const pages: Readonly<Record<string, FunctionComponent>> = {
  "": OverviewPage,
  api: ApiPage,
  audit: AuditPage,
  configurations: ConfigurationsPage,
  evaluations: EvaluationsPage,
  first: FirstPage,
  people: PeoplePage,
  review: ReviewPage,
  routing: RoutingPage,
  scopes: ScopesPage,
  settings: SettingsPage,
  skills: SkillsPage,
  sources: SourcesPage,
  tasks: TasksPage,
  usage: UsagePage,
};

/** Those that nobody needs to be signed in for; on any other page, whoever is not signs in first. */
const open: Readonly<Record<string, FunctionComponent>> = { first: FirstPage };

/** The page of where one is. */
export function App() {
  const known = session.value;
  const { page } = place.value;
  const problem = entranceProblem.value;
  if (known === undefined) return problem === undefined ? <Loading /> : <UnknownPage problem={problem} />;
  const Page = known.person === null ? pageIn(open, page, SignInPage) : pageIn(pages, page, NotFoundPage);
  return (
    <Boundary key={page}>
      <Page />
    </Boundary>
  );
}

function pageIn(table: typeof pages, page: string, otherwise: FunctionComponent): FunctionComponent {
  // What every object has is no page.
  return (Object.hasOwn(table, page) ? table[page] : undefined) ?? otherwise;
}

interface BoundaryProps {
  readonly children: ComponentChildren;
}

/** A page that breaks says so, and leaves the others as they are. */
class Boundary extends Component<BoundaryProps, { readonly hasBroken: boolean }> {
  override state = { hasBroken: false };

  static override getDerivedStateFromError() {
    return { hasBroken: true };
  }

  override render({ children }: BoundaryProps) {
    if (!this.state.hasBroken) return children;
    return (
      <main class="alone">
        <Notice tone="bad">
          This page has broken, and nothing was changed by it. <a href="#/">Go to the overview</a>, or load it again.
        </Notice>
      </main>
    );
  }
}

function NotFoundPage() {
  return (
    <Shell title="Not here">
      <Empty title="There is no such page">
        <a href="#/">Go to the overview</a>
      </Empty>
    </Shell>
  );
}
