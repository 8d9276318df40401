import { ParlanceError } from '@parlance/client';
import type { SharedConversation } from '@parlance/client/types';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatTime } from '../../messages/format.ts';
import { useMessages } from '../../messages/index.ts';
import { useSharingMessages } from '../../messages/sharing-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { currentSession } from '../../session/session-state.ts';
import { Button, buttonLook, LinkButton } from '../../ui/button.tsx';
import { useTitle } from '../../ui/page.tsx';
import { EmptyState, ErrorNote, Loaded } from '../../ui/states.tsx';
import { isToken } from './share-link.ts';
import { SharedMessages } from './shared-messages.tsx';

const PAGE = 50;

const isSignedIn = () => currentSession() === 'signed-in';

const sharedQuery = (token: string, asUser: boolean) =>
  infiniteQueryOptions({
    queryKey: ['shared', token, asUser],
    queryFn: ({ pageParam }) =>
      (asUser ? parlance.api : parlance.open).get('/shared/{token}', {
        path: { token },
        query: { limit: PAGE, ...(pageParam !== null && { next_token: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_token }) => next_token,
  });

/** A shared chat, read-only. */
export function SharedPage() {
  const texts = useSharingMessages();
  const { common } = useMessages();
  const token = useLocation({ select: ({ hash }) => hash });
  return (
    <div className="h-full overflow-y-auto">
      <header className="flex min-h-12 items-center gap-3 border-b border-line bg-surface px-4 py-1">
        <p className="grow text-md font-semibold">{common.appName}</p>
        {isSignedIn() ? (
          <LinkButton size="small" href="/">
            {texts.toStart}
          </LinkButton>
        ) : (
          <SignInLink />
        )}
      </header>
      <main id="content" tabIndex={-1} className="mx-auto flex w-full max-w-3xl flex-col gap-6 px-6 py-6 outline-none max-sm:px-4">
        {isToken(token) ? <Shared key={token} token={token} /> : <Nothing title={texts.incomplete} text={texts.incompleteText} />}
      </main>
    </div>
  );
}

const SignInLink = () => (
  <Link to="/sign-in" search={{ next: '/shared' }} className={buttonLook('secondary', 'small')}>
    {useSharingMessages().signIn}
  </Link>
);

function Nothing({ title, text, action }: { readonly title: string; readonly text: string; readonly action?: ReactNode }) {
  useTitle(title);
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      <EmptyState title={title} text={text} action={action} />
    </>
  );
}

function Shared({ token }: { readonly token: string }) {
  const texts = useSharingMessages();
  const query = useInfiniteQuery(sharedQuery(token, isSignedIn()));
  if (query.data === undefined && query.error instanceof ParlanceError && query.error.status === 404)
    return isSignedIn() ? (
      <Nothing title={texts.unknown} text={texts.unknownText} />
    ) : (
      <Nothing title={texts.unknown} text={texts.unknownSignedOut} action={<SignInLink />} />
    );
  return (
    <Loaded query={query}>
      {({ pages }) => (
        <>
          <Title shared={pages[0]!} />
          <SharedMessages token={token} messages={pages.flatMap(({ messages }) => messages)} />
          {query.error !== null && <ErrorNote error={query.error} />}
          {query.hasNextPage && (
            <Button className="self-center" isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
              {texts.showMore}
            </Button>
          )}
        </>
      )}
    </Loaded>
  );
}

function Title({ shared: { title, create_time, expires_at } }: { readonly shared: SharedConversation }) {
  const texts = useSharingMessages();
  useTitle(title || texts.untitled);
  return (
    <header>
      <h1 className="text-xl font-semibold" dir="auto">
        {title || texts.untitled}
      </h1>
      <p className="mt-1 text-sm text-muted">{texts.sharedOn(formatTime(create_time))}</p>
      {expires_at !== null && <p className="text-sm text-muted">{texts.worksUntil(formatTime(expires_at))}</p>}
    </header>
  );
}
