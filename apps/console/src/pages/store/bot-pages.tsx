import type { BotItemPage } from '@parlance/client/types';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isIndexing } from '../bots/shelf/shelf-queries.ts';
import { useBotChoiceMessages } from '../../messages/bot-choice-messages.ts';
import { usePaging } from '../../ui/paging/use-paging.ts';
import { Loaded, Loading } from '../../ui/states.tsx';
import { Pager } from '../../ui/table.tsx';
import { BotCards } from './bot-cards.tsx';

interface BotPagesProps {
  readonly query: UseQueryResult<BotItemPage>;
  readonly label: string;
  readonly empty: ReactNode;
  /** The token of the page that is shown. */
  readonly token: string | undefined;
}

/** Bots page by page. */
export function BotPages({ query, label, empty, token }: BotPagesProps) {
  const { preparing } = useBotChoiceMessages();
  const pager = usePaging(token, query.data?.next_token, query.error);
  if (query.isPending && isIndexing(query.failureReason)) return <Loading label={preparing} />;
  return (
    <Loaded query={query}>
      {({ bots }) => (
        <>
          <div role="status" className="sr-only">
            {bots.length === 0 ? null : label}
          </div>
          {bots.length === 0 && token === undefined ? empty : <BotCards bots={bots} label={label} />}
          <Pager {...pager} />
        </>
      )}
    </Loaded>
  );
}
