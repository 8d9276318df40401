import { ParlanceError } from '@parlance/client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useMessages } from '../../messages/index.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useTitle } from '../../ui/page.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { joinedDrafts } from './composer/choosing/typed-name.ts';
import { NEW_CHAT } from './composer/drafts.ts';
import { useDrafts } from './composer/use-drafts.ts';
import { ChatView } from './conversation/chat-view.tsx';
import { conversationQuery } from './conversation/conversation-query.ts';

const route = getRouteApi('/signed-in/c/$conversationId');

export function ChatPage() {
  const { conversationId } = route.useParams();
  const { message } = route.useSearch();
  const query = useQuery(conversationQuery(conversationId));
  if (query.error instanceof ParlanceError && (query.error.status === 404 || query.error.status === 400))
    return <UnknownChat id={conversationId} />;
  return <Loaded query={query}>{(conversation) => <ChatView key={conversationId} conversation={conversation} linked={message} />}</Loaded>;
}

function UnknownChat({ id }: { readonly id: string }) {
  const { chat, common } = useMessages();
  const drafts = useDrafts();
  // The chat may have been deleted in another browser: its draft moves to a new chat.
  useEffect(() => {
    const text = drafts.of(id);
    drafts.keep(id, '');
    if (text === '') return;
    drafts.keep(NEW_CHAT, joinedDrafts(text, drafts.of(NEW_CHAT)));
    // The chat may have been temporary.
    drafts.keepPrivacy(NEW_CHAT, { isTemporary: true, hasMemory: false });
  }, [drafts, id]);
  useTitle(chat.unknownTitle);
  return <EmptyState title={chat.unknownTitle} text={chat.unknownText} action={<LinkButton href="/">{common.newChat}</LinkButton>} />;
}
