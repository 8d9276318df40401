import type { ToolConnection } from '@parlance/client/types';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatList, formatTime } from '../../messages/format.ts';
import { useAccountMessages } from '../../messages/account-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Tag } from '../../ui/tag.tsx';
import { toast, toastError } from '../../ui/toasts.tsx';
import { AccountFrame } from './account-frame.tsx';

const connectionsQuery = { queryKey: ['tool-connections'], queryFn: () => parlance.api.get('/user/me/tool-connections') };
const TONES = { connected: 'ok', not_connected: 'neutral', lost: 'warn' } as const;

export function ToolsPage() {
  const account = useAccountMessages();
  const client = useQueryClient();
  const query = useQuery(connectionsQuery);
  const [leaving, setLeaving] = useState<string | null>(null);
  const disconnect = async () => {
    if (leaving === null) return;
    await parlance.api.delete('/user/me/tool-connections/{server}', { path: { server: leaving } });
    await client.invalidateQueries(connectionsQuery);
    toast(account.disconnected(leaving));
  };
  return (
    <AccountFrame>
      <p className="text-sm text-muted">{account.toolsText}</p>
      <Loaded query={query}>
        {({ tool_connections: connections }) => (
          <Table
            label={account.tools}
            rows={connections}
            keyOf={({ server }) => server}
            empty={<EmptyState title={account.noTools} text={account.noToolsText} />}
            columns={[
              { id: 'server', name: account.server, cell: ({ server }) => server },
              { id: 'status', name: account.status, cell: ({ status }) => <Tag tone={TONES[status]}>{account.statuses[status]}</Tag> },
              {
                id: 'since',
                name: account.connectedTime,
                cell: ({ connected_time }) => (connected_time === null ? '–' : formatTime(connected_time)),
              },
              { id: 'scopes', name: account.scopes, cell: ({ scopes }) => formatList(scopes) || '–' },
              {
                id: 'action',
                name: account.connect,
                isNameHidden: true,
                align: 'end',
                cell: (connection) => <ConnectionAction connection={connection} onDisconnect={setLeaving} />,
              },
            ]}
          />
        )}
      </Loaded>
      <ConfirmDialog
        title={account.disconnectTitle(leaving ?? '')}
        text={account.disconnectText}
        confirmLabel={account.disconnect}
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        onConfirm={disconnect}
      />
    </AccountFrame>
  );
}

interface ConnectionActionProps {
  readonly connection: ToolConnection;
  readonly onDisconnect: (server: string) => void;
}

function ConnectionAction({ connection: { server, status }, onDisconnect }: ConnectionActionProps) {
  const account = useAccountMessages();
  const connect = useMutation({
    mutationFn: async () => {
      const { authorize_url } = await parlance.api.post('/user/me/tool-connections/{server}/authorize', { path: { server } });
      if (!/^https?:\/\//.test(authorize_url)) throw new Error(account.unsafeAddress);
      globalThis.location.assign(authorize_url);
    },
    onError: toastError,
  });
  const isLost = status === 'lost';
  return (
    <div className="flex justify-end gap-2">
      {status !== 'connected' && (
        <Button
          size="small"
          isPending={connect.isPending}
          onPress={() => connect.mutate()}
          aria-label={isLost ? account.connectServerAgain(server) : account.connectServer(server)}
        >
          {isLost ? account.connectAgain : account.connect}
        </Button>
      )}
      {status !== 'not_connected' && (
        <Button size="small" onPress={() => onDisconnect(server)} aria-label={account.disconnectServer(server)}>
          {account.disconnect}
        </Button>
      )}
    </div>
  );
}
