import type { ConversationImport } from '@parlance/client/types';

/**
 * The server ends each request after a few seconds, so the import is repeated until every conversation is there or a request adds none. The
 * result is the sum over all requests.
 */
export async function importAll(
  send: () => Promise<ConversationImport>,
  onProgress: (imported: number) => void,
): Promise<ConversationImport> {
  let imported = 0;
  for (;;) {
    const report = await send();
    // A repeat counts what earlier requests imported as unchanged.
    const unchanged = Math.max(0, report.unchanged - imported);
    imported += report.imported;
    onProgress(imported);
    if (report.is_complete || report.imported === 0) return { ...report, imported, unchanged };
  }
}

export interface LeftOutReason {
  readonly reason: string;
  readonly detail: string;
  readonly conversations: number;
  readonly times: number;
}

/** Skipped entries by reason. */
export function byReason(leftOut: ConversationImport['left_out']): readonly LeftOutReason[] {
  const found = new Map<string, { reason: string; detail: string; sources: Set<string>; times: number }>();
  for (const { reason, detail, source_id, count } of leftOut) {
    const its = found.get(reason) ?? { reason, detail, sources: new Set<string>(), times: 0 };
    its.sources.add(source_id);
    its.times += count;
    found.set(reason, its);
  }
  return [...found.values()].map(({ reason, detail, sources, times }) => ({ reason, detail, conversations: sources.size, times }));
}
