import type { Session } from '@parlance/client/types';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { formatAge, formatTime } from '../../messages/format.ts';
import { type AccountMessages, useAccountMessages } from '../../messages/account-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Paged } from '../../ui/paging/paged.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Tag } from '../../ui/tag.tsx';
import { toast } from '../../ui/toasts.tsx';
import { AccountFrame } from './account-frame.tsx';
import { deviceOf } from './device.ts';

const route = getRouteApi('/signed-in/account/sessions');
const PAGE = 50;

const sessionsQuery = (token?: string) => ({
  queryKey: ['sessions', token],
  queryFn: () => parlance.api.get('/auth/sessions', { query: { limit: PAGE, ...(token && { next_token: token }) } }),
  placeholderData: keepPreviousData,
});

export function SessionsPage() {
  const account = useAccountMessages();
  const { token } = route.useSearch();
  const client = useQueryClient();
  const query = useQuery(sessionsQuery(token));
  const [ending, setEnding] = useState<Session | null>(null);
  const end = async () => {
    if (ending === null) return;
    await parlance.api.delete('/auth/sessions/{sessionId}', { path: { sessionId: ending.session_id } });
    await client.invalidateQueries({ queryKey: ['sessions'] });
    toast(account.sessionEnded);
  };
  return (
    <AccountFrame>
      <p className="text-sm text-muted">{account.sessionsText}</p>
      <Paged query={query} token={token}>
        {({ sessions }) => (
          <Table label={account.sessions} columns={columnsOf(account, setEnding)} rows={sessions} keyOf={({ session_id }) => session_id} />
        )}
      </Paged>
      <ConfirmDialog
        title={account.endTitle}
        text={ending && account.endText(deviceName(account, ending))}
        confirmLabel={account.end}
        isOpen={ending !== null}
        onClose={() => setEnding(null)}
        onConfirm={end}
      />
    </AccountFrame>
  );
}

type Texts = AccountMessages;

function deviceName(texts: Texts, { user_agent }: Session): string {
  const { browser, system } = deviceOf(user_agent);
  if (browser !== null && system !== null) return texts.deviceOn(browser, system);
  return browser ?? system ?? texts.unknownDevice;
}

/** No provider can be named `password` or `passkey`. */
function wayOf({ viaPassword, viaPasskey }: Texts, via: string): string {
  if (via === 'password') return viaPassword;
  return via === 'passkey' ? viaPasskey : via;
}

const columnsOf = (texts: Texts, onEnd: (session: Session) => void): Column<Session>[] => [
  {
    id: 'device',
    name: texts.device,
    cell: (session) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1" title={session.user_agent ?? undefined}>
        {deviceName(texts, session)}
        {session.current && <Tag tone="accent">{texts.thisSession}</Tag>}
      </span>
    ),
  },
  {
    id: 'last-used',
    name: texts.lastUsed,
    cell: ({ last_used_time }) => (
      <span title={formatTime(last_used_time)} className="whitespace-nowrap">
        {formatAge(last_used_time)}
      </span>
    ),
  },
  { id: 'via', name: texts.via, cell: ({ via }) => wayOf(texts, via) },
  { id: 'address', name: texts.address, cell: ({ ip_address }) => ip_address ?? '–' },
  { id: 'started', name: texts.started, cell: ({ create_time }) => <span className="whitespace-nowrap">{formatTime(create_time)}</span> },
  {
    id: 'end',
    name: texts.end,
    isNameHidden: true,
    align: 'end',
    cell: (session) =>
      session.current ? (
        <span className="text-xs text-muted">{texts.endBySignOut}</span>
      ) : (
        <Button size="small" onPress={() => onEnd(session)} aria-label={texts.endSession(deviceName(texts, session))}>
          {texts.end}
        </Button>
      ),
  },
];
