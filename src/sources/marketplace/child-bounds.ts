import type { Finding } from "../../core/finding.ts";
import { type Repository, repositoryKey } from "../repository.ts";
import type { SyncBounds } from "../source.ts";

const unused: SyncBounds = { files: 0, bytes: 0, seconds: 0 };

/** How much of its bounds each repository has used, whichever plugins it was for (IN-14, IN-16). */
export class RepositoryBounds {
  readonly #bounds: SyncBounds;
  readonly #used = new Map<string, SyncBounds>();

  constructor(bounds: SyncBounds) {
    this.#bounds = bounds;
  }

  add(repository: Repository, { files = 0, bytes = 0, seconds = 0 }: Partial<SyncBounds>): void {
    const used = this.usedBy(repository);
    this.#used.set(repositoryKey(repository), {
      files: used.files + files,
      bytes: used.bytes + bytes,
      seconds: used.seconds + seconds,
    });
  }

  usedBy(repository: Repository): SyncBounds {
    return this.#used.get(repositoryKey(repository)) ?? unused;
  }

  leftOf(repository: Repository): SyncBounds {
    const { files, bytes, seconds } = this.#bounds;
    const used = this.usedBy(repository);
    return {
      files: Math.max(0, files - used.files),
      bytes: Math.max(0, bytes - used.bytes),
      seconds: Math.max(0, seconds - used.seconds),
    };
  }
}

/** A bound that is smaller than the one that was set needs a word. */
export function explainBound({ files }: SyncBounds, finding: Finding): Finding {
  if (finding.code !== "walk.bounds" || files === 0) return finding;
  return { ...finding, message: `${finding.message}; ${files} files of its repository were read for other plugins` };
}
