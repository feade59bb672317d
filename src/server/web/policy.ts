/**
 * T37, T29: what a page may load and do. Everything comes from this server, nothing inline runs, nobody frames it, and no
 * text can become markup, since no policy for trusted types exists. There is no exception in it.
 */
const rules = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": rules.join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "x-frame-options": "DENY",
};
