export function startPostgres(options?: {
  durable?: boolean;
  restarts?: boolean;
  onAlarm?: (text: string) => void;
}): Promise<{ url: string; stop: () => Promise<void>; halt: () => Promise<void>; go: () => Promise<void> }>;
export function createDatabase(url: string): Promise<string>;
export function dropDatabase(url: string): Promise<void>;
