import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useAccountMessages } from '../../messages/account-messages.ts';
import { forgetFragment, takeFragment } from '../../session/fragment.ts';
import { parlance } from '../../session/parlance.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { type ToolCallback, toolCallbackOf } from './tool-callback.ts';

/** Sent only once, even if React runs the effect twice: the code is valid for one use. */
let completing: Promise<unknown> | null = null;

/** The page that a tool server's authorization server redirects to. */
export function ToolCallbackPage() {
  const account = useAccountMessages();
  const navigate = useNavigate();
  const [callback] = useState<ToolCallback>(() => toolCallbackOf(takeFragment()));
  const [error, setError] = useState<unknown>(null);

  useEffect(() => {
    if (callback.kind !== 'granted') return;
    const { server, code, state, iss } = callback;
    completing ??= parlance.api.post('/user/me/tool-connections/{server}/complete', {
      path: { server },
      body: { code, state, ...(iss !== undefined && { iss }) },
    });
    completing.then(
      async () => {
        if (completing === null) return;
        completing = null;
        forgetFragment();
        toast(account.connected(server));
        await queryClient.invalidateQueries({ queryKey: ['tool-connections'] });
        await navigate({ to: '/account/tools', replace: true });
      },
      (failure: unknown) => {
        completing = null;
        forgetFragment();
        setError(failure);
      },
    );
  }, [callback]);

  if (callback.kind === 'granted' && error === null) return <Loading label={account.connecting} />;
  const explanation = callback.kind === 'refused' ? account.connectRefused : account.connectIncomplete;
  return (
    <Page title={account.connectFailed}>
      <ErrorNote error={error ?? explanation} />
      <LinkButton href="/account/tools" className="self-start">
        {account.toTools}
      </LinkButton>
    </Page>
  );
}
