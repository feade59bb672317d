/** What an endpoint speaks. `echo` and `scripted` answer by themselves: no address, no secret (CO-18). */
export const protocols = ["openai", "anthropic", "google", "echo", "scripted"] as const;

export type Protocol = (typeof protocols)[number];
