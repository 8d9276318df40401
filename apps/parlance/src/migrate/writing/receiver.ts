import type { ServiceCalls } from '@parlance/calls';
import { ImportRules } from '@parlance/inference';
import { withPatience } from './product.ts';

export interface LeftFile {
  readonly message_id: string;
  readonly name: string | null;
  readonly reason: string;
}
export type Result = { readonly id: string } & (
  | { readonly status: 'imported' | 'unchanged'; readonly left_files?: readonly LeftFile[] }
  | { readonly status: 'refused'; readonly code: string; readonly detail: string }
);

/** Imports conversations, and returns the result of each in the same order. */
export interface Receiver {
  /** False in a dry run, which stores nothing. */
  readonly isKept: boolean;
  take(conversations: readonly object[]): Promise<readonly Result[]>;
  close(): Promise<void>;
}

/** Without `calls`, returns the receiver of a dry run, which makes the same checks as inference and stores nothing. */
export function receiverOf(calls: ServiceCalls | null, name: string): Receiver {
  if (!calls) {
    const rules = new ImportRules();
    return {
      isKept: false,
      take: (all) => withPatience(() => Promise.all(all.map((each) => rules.outcomeOf(each)))),
      close: () => rules.close(),
    };
  }
  const take = async (conversations: readonly object[]) => {
    const body = { name, conversations };
    return (await withPatience(() => calls.post<{ results: readonly Result[] }>('inference', '/internal/imports', body))).results;
  };
  return { isKept: true, take, close: () => Promise.resolve() };
}
