import type { UserCosts } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { formatMoney, formatMonth, formatNumber, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Section } from '../../../../ui/page.tsx';
import { ErrorNote, Loaded } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { ParlanceError } from '@parlance/client';
import { userCostsQuery } from '../queries.ts';

type Month = UserCosts['periods'][number];

export function UserCostSection({ userId }: { readonly userId: string }) {
  const { common, admin } = useAdminMessages();
  const texts = admin.people.users;
  const costs = useQuery(userCostsQuery(userId, new Date()));
  const columns: readonly Column<Month>[] = [
    { id: 'month', name: texts.month, cell: ({ period }) => <span className="whitespace-nowrap">{formatMonth(period)}</span> },
    { id: 'conversations', name: texts.conversations, align: 'end', cell: ({ conversation_count }) => formatNumber(conversation_count) },
    { id: 'input', name: texts.input, align: 'end', cell: ({ input_tokens }) => formatNumber(input_tokens) },
    { id: 'output', name: texts.output, align: 'end', cell: ({ output_tokens }) => formatNumber(output_tokens) },
    { id: 'billed', name: texts.billed, align: 'end', cell: ({ as_billed }) => formatMoney(as_billed) },
    { id: 'corrected', name: texts.corrected, align: 'end', cell: ({ as_corrected }) => formatMoney(as_corrected) },
  ];
  // A user without any cost is missing from the cost read model.
  const isUnknown = costs.error instanceof ParlanceError && costs.error.status === 404;
  return (
    <Section title={texts.costs} description={texts.costsText}>
      {isUnknown ? (
        <p className="text-sm text-muted">{texts.noCosts}</p>
      ) : (
        <Loaded query={costs}>
          {({ periods, as_of }) => (
            <>
              <Table
                label={texts.costs}
                columns={columns}
                rows={[...periods].reverse()}
                keyOf={({ period }) => period}
                empty={<p className="text-sm text-muted">{texts.noCosts}</p>}
              />
              {as_of && <p className="text-xs text-muted">{common.asOf(formatTime(as_of.time))}</p>}
            </>
          )}
        </Loaded>
      )}
      {costs.data !== undefined && costs.error !== null && <ErrorNote error={costs.error} />}
    </Section>
  );
}
