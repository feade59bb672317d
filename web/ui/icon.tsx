/** Lines on a grid of 16: drawn here, so that no font or picture is loaded. */
const paths = {
  overview: "M2.5 8.5 8 3l5.5 5.5M4 7.5V13h8V7.5",
  review: "M3 3.5h10v9H3zM5.5 8l1.8 1.8 3.4-3.6",
  skill: "M4 2.5h6l2.5 2.5v8.5H4zM9.5 2.5V5.5h3M6 8.5h4.5M6 11h4.5",
  source:
    "M4.5 4.5a1.5 1.5 0 1 0 0-.01M4.5 6v4M4.5 11.5a1.5 1.5 0 1 0 0-.01M11.5 4.5a1.5 1.5 0 1 0 0-.01M11.5 6c0 2.5-2 3-7 3.5",
  configuration: "M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 3.5v3M6 9.5v3",
  task: "M3 4l1.2 1.2L6.5 3M3 8.5l1.2 1.2L6.5 7.5M9 4.5h4.5M9 9h4.5M3 13h10.5",
  route: "M3 12.5h4.5a2 2 0 0 0 2-2v-5a2 2 0 0 1 2-2H13M11 1.8l2 1.7-2 1.7M3 12.5a.5.5 0 1 0 0-.01",
  scope: "M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4z",
  evaluation: "M2.5 13.5h11M4.5 11V8M8 11V4.5M11.5 11V6.5",
  usage: "M2.5 11.5l3-4 2.5 2 4.5-6M10 3.5h2.5V6",
  audit: "M8 3v5l3 2M8 2a6 6 0 1 0 .01 0",
  people:
    "M6 7.5a2.3 2.3 0 1 0 0-.01M2 13c.4-2.4 2-3.5 4-3.5s3.600 1.100 4 3.5M11 7.500a1.800 1.800 0 1 0 0-.01M11.500 9.600c1.500.1 2.300 1.100 2.500 2.900",
  api: "M5.500 4.500 2 8l3.500 3.500M10.500 4.500 14 8l-3.500 3.500",
  settings:
    "M8 5.700a2.300 2.300 0 1 0 .01 0M8 2v1.500M8 12.500V14M2 8h1.500M12.500 8H14M3.800 3.800l1 1M11.200 11.200l1 1M12.200 3.800l-1 1M4.800 11.200l-1 1",
  menu: "M2.500 4.500h11M2.500 8h11M2.500 11.500h11",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3 8.500l3.200 3.200L13 5",
  plus: "M8 3v10M3 8h10",
  sync: "M13 8a5 5 0 0 1-9 3M3 8a5 5 0 0 1 9-3M12.200 2v3h-3M3.800 14v-3h3",
  image: "M2.5 3.5h11v9h-11zM2.5 11l3.5-3.500 2.500 2.500 2-2 3 3M10.800 6.300a.6.6 0 1 0 0-.01",
  copy: "M6 6h7v7.500H6zM10 6V2.500H3V10h3",
  link: "M9 3h4v4M13 3 7.500 8.500M11.500 9.500v3.500H3V4.500h3.500",
  warn: "M8 2.500 14 13H2zM8 6.500v3M8 11.300v.01",
  out: "M9 3H3v10h6M7 8h7M11.500 5.500 14 8l-2.500 2.500",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.4"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

/** The mark of the house. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M16 6l8 3v7c0 5-3.4 8.6-8 10-4.6-1.4-8-5-8-10V9z" fill="var(--accent-ink)" />
      <path d="M12 16.2l2.8 2.8 5.2-5.6" fill="none" stroke="var(--accent)" stroke-width="2.4" stroke-linecap="round" />
    </svg>
  );
}
