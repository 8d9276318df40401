import type { ReactNode } from 'react';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { formatNumber } from '../../../../../messages/format.ts';
import { Button } from '../../../../../ui/button.tsx';
import { ErrorNote, Loaded } from '../../../../../ui/states.tsx';

interface Props<Item> {
  readonly title: string;
  readonly text: string;
  readonly query: {
    readonly data: unknown;
    readonly error: unknown;
    readonly isPending: boolean;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly refetch: () => unknown;
    readonly fetchNextPage: () => unknown;
  };
  /** The items of all pages that were loaded. */
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Shown if there are no items. */
  readonly empty: string;
  readonly children: (item: Item) => ReactNode;
}

/** A list with its number of items. Further pages are loaded on request. */
export function AccessList<Item>({ title, text, query, items, keyOf, empty, children }: Props<Item>) {
  const { access } = useAdminMessages().admin.operations.models;
  const count = formatNumber(items.length);
  return (
    <section aria-label={title} className="flex flex-col gap-2 border-t border-line pt-5 text-sm">
      <h3 className="text-md font-semibold">
        {title}
        {query.data !== undefined && <span className="font-normal text-muted"> · {query.hasNextPage ? access.atLeast(count) : count}</span>}
      </h3>
      <p className="text-xs text-muted">{text}</p>
      <Loaded query={query}>
        {() =>
          items.length === 0 && !query.hasNextPage ? (
            <p className="text-muted">{empty}</p>
          ) : (
            <ul aria-label={title} className="flex flex-col divide-y divide-line">
              {items.map((item) => (
                <li key={keyOf(item)} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-2">
                  {children(item)}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {query.data !== undefined && query.error !== null && <ErrorNote error={query.error} />}
      {query.hasNextPage && (
        <Button className="self-start" isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
          {access.more}
        </Button>
      )}
    </section>
  );
}
