import { useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';
import { toastError } from '../../../ui/toasts.tsx';
import { loadEarlier } from './conversation-query.ts';
import type { LoadedConversation } from './loaded-conversation.ts';

export function EarlierMessages({ conversation }: { readonly conversation: LoadedConversation }) {
  const { chat } = useMessages();
  const [isPending, setPending] = useState(false);
  if (conversation.next_token === null) return null;
  const load = () => {
    setPending(true);
    void loadEarlier(conversation.conversation_id)
      .catch(toastError)
      .finally(() => setPending(false));
  };
  return (
    <Button size="small" look="quiet" className="self-center print:hidden" isPending={isPending} onPress={load}>
      {chat.earlierMessages}
    </Button>
  );
}
