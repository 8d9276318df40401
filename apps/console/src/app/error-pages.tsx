import { ParlanceError } from '@parlance/client';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useMessages } from '../messages/index.ts';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { LinkButton } from '../ui/button.tsx';
import { useTitle } from '../ui/page.tsx';

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const { common } = useMessages();
  const router = useRouter();
  useTitle(common.errorTitle);
  const again = async () => {
    // A part of the page that could not be loaded stays so until the whole console is loaded again.
    if (!(error instanceof ParlanceError)) return location.reload();
    // A page keeps the failure of its file until it is loaded again.
    await Promise.all(router.state.matches.map(({ routeId }) => router.routesById[routeId].options.component?.preload?.()));
    await router.invalidate();
    reset();
  };
  useEffect(() => {
    const onOnline = () => void again();
    globalThis.addEventListener('online', onOnline);
    return () => globalThis.removeEventListener('online', onOnline);
  });
  return <ErrorState error={error} onRetry={() => void again()} />;
}

export function NotFound() {
  const { common } = useMessages();
  useTitle(common.notFoundTitle);
  return <EmptyState title={common.notFoundTitle} text={common.notFoundText} action={<LinkButton href="/">{common.toStart}</LinkButton>} />;
}

export function NoAccess() {
  const { common } = useMessages();
  useTitle(common.noAccessTitle);
  return <EmptyState title={common.noAccessTitle} text={common.noAccessText} action={<LinkButton href="/">{common.toStart}</LinkButton>} />;
}
