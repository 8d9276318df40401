import type { Hold } from '@parlance/client/types';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { audited } from '../../../../api/query-client.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { formatTime } from '../../../../messages/format.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog.tsx';
import { linkLook } from '../../../../ui/link-look.ts';
import { Page } from '../../../../ui/page.tsx';
import { Paged } from '../../../../ui/paging/paged.tsx';
import { EmptyState } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { toast } from '../../../../ui/toasts.tsx';
import { ShortId } from '../short-id.tsx';
import { useNames } from '../use-names.ts';
import { HoldDialog } from './hold-dialog.tsx';

const route = getRouteApi('/signed-in/admin/holds');

export function HoldsPage() {
  const { holds } = useAdminMessages().admin.operations;
  const { token } = route.useSearch();
  const client = useQueryClient();
  const [isPlacing, setPlacing] = useState(false);
  const [ended, setEnded] = useState<Hold | null>(null);
  const query = useQuery({
    ...audited,
    queryKey: ['admin', 'holds', token],
    queryFn: ({ signal }) => parlance.api.get('/admin/holds', { query: { next_token: token }, signal }),
    placeholderData: keepPreviousData,
  });
  const rows = query.data?.holds ?? [];
  const names = useNames({ users: usersOf(rows), bots: rows.some(({ bot_id }) => bot_id !== null) });
  const nameOf = ({ id, user_id, bot_id }: Hold) => {
    const subjectId = user_id ?? bot_id ?? id;
    return names.get(subjectId) ?? subjectId;
  };
  const end = async ({ id }: Hold) => {
    await parlance.api.delete('/admin/holds/{holdId}', { path: { holdId: id } });
    await client.invalidateQueries({ queryKey: ['admin', 'holds'] });
    toast(holds.ended);
  };
  return (
    <Page
      title={holds.title}
      description={holds.description}
      isWide
      actions={
        <>
          <CsvButton onDownload={() => downloadCsv('/admin/holds', {}, 'holds.csv')} />
          <Button look="primary" onPress={() => setPlacing(true)}>
            <Plus aria-hidden className="size-4" />
            {holds.create}
          </Button>
        </>
      }
    >
      <Paged query={query} token={token}>
        {(data) => (
          <Table
            label={holds.title}
            columns={columnsOf(holds, names, nameOf, setEnded)}
            rows={data.holds}
            keyOf={({ id }) => id}
            empty={<EmptyState title={holds.emptyTitle} text={holds.emptyText} />}
          />
        )}
      </Paged>
      {isPlacing && <HoldDialog onClose={() => setPlacing(false)} />}
      {ended && (
        <ConfirmDialog
          title={holds.endTitle}
          text={holds.endText(nameOf(ended))}
          confirmLabel={holds.end}
          isOpen
          onClose={() => setEnded(null)}
          onConfirm={() => end(ended)}
        />
      )}
    </Page>
  );
}

const usersOf = (holds: readonly Hold[]) => holds.flatMap(({ user_id, placed_by }) => [user_id, placed_by].filter((id) => id !== null));

type Texts = ReturnType<typeof useAdminMessages>['admin']['operations']['holds'];

const columnsOf = (
  texts: Texts,
  names: ReadonlyMap<string, string>,
  nameOf: (hold: Hold) => string,
  onEnd: (hold: Hold) => void,
): readonly Column<Hold>[] => [
  {
    id: 'subject',
    name: texts.subject,
    cell: ({ user_id, bot_id }) => (
      <span className="flex min-w-44 flex-col">
        {user_id !== null && (
          <Link to="/admin/users/$userId" params={{ userId: user_id }} className={`font-medium ${linkLook}`}>
            {names.get(user_id) ?? <ShortId id={user_id} />}
          </Link>
        )}
        {bot_id !== null && <span className="font-medium">{names.get(bot_id) ?? <ShortId id={bot_id} />}</span>}
        <span className="text-xs text-muted">{user_id === null ? texts.ofBot : texts.ofUser}</span>
      </span>
    ),
  },
  {
    id: 'reason',
    name: texts.reason,
    cell: ({ reason }) => <span className="block max-w-prose min-w-56 break-words whitespace-pre-wrap">{reason}</span>,
  },
  {
    id: 'placed',
    name: texts.placed,
    cell: ({ create_time, placed_by }) => (
      <span className="flex flex-col whitespace-nowrap">
        {formatTime(create_time)}
        {placed_by !== null && <span className="text-xs text-muted">{texts.by(names.get(placed_by) ?? placed_by)}</span>}
      </span>
    ),
  },
  {
    id: 'end',
    name: texts.end,
    isNameHidden: true,
    align: 'end',
    cell: (hold) => (
      <Button size="small" look="quiet" aria-label={texts.endOf(nameOf(hold))} onPress={() => onEnd(hold)}>
        {texts.end}
      </Button>
    ),
  },
];
