import type { Message, MessageBody } from '@parlance/client/types';
import { useNavigate } from '@tanstack/react-router';
import { ArrowDown } from 'lucide-react';
import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../ui/button.tsx';
import { useTitle } from '../../../ui/page.tsx';
import { ArtifactArea } from '../artifacts/artifact-area.tsx';
import { comparisons, useComparison } from '../comparison/open-comparisons.ts';
import { Choices } from '../composer/choices.tsx';
import { Composer } from '../composer/composer.tsx';
import { draftOfBot, stricter } from '../composer/drafts.ts';
import { useDrafts } from '../composer/use-drafts.ts';
import { useLivePhase } from '../live/replies.ts';
import { Announcer } from './announcer.tsx';
import { ChatHeader } from './chat-header.tsx';
import type { LoadedConversation } from './loaded-conversation.ts';
import { EarlierMessages } from './earlier-messages.tsx';
import { stopReply } from '../live/stop-reply.ts';
import { branchTo, newestBelow, type Turn } from './message-tree.ts';
import { focusComposer, focusIfLost } from './focus.ts';
import { PendingQuestion } from './pending-question.tsx';
import { SendError } from './send-error.tsx';
import { TurnList } from './turn-list.tsx';
import { useAsking } from './use-asking.ts';
import { useFollowEnd, useKeepPlace } from './use-follow-end.ts';
import { useModels } from './use-models.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';

const ComparisonView = lazyPart(() => import('../comparison/comparison-view.tsx'), 'ComparisonView');

const LinkedMessage = lazyPart(() => import('./linked-message.tsx'), 'LinkedMessage');

const NOTHING: readonly Turn[] = [];

interface Props {
  readonly conversation: LoadedConversation;
  /** The message at which the chat is opened. */
  readonly linked: string | undefined;
}

/** A conversation: its messages along the shown branch, and the field for the next one. */
export function ChatView({ conversation, linked }: Props) {
  const { chat } = useMessages();
  const navigate = useNavigate();
  const {
    conversation_id: conversationId,
    bot_id: botId,
    messages,
    last_message_id,
    temporary,
    memory,
    project_id: projectId,
  } = conversation;
  const [leaf, setLeaf] = useState<string | null>(linked ?? null);
  // The conversation may have been continued in another tab.
  const lastId = leaf !== null && messages[leaf] !== undefined ? newestBelow(messages, leaf) : last_message_id;
  const before = useRef<readonly Turn[]>([]);
  const turns = useMemo(() => (before.current = branchTo(messages, lastId, before.current)), [messages, lastId]);
  const lastMessage = turns.at(-1)?.message;
  const phase = useLivePhase(lastId);
  const isStored = lastMessage === undefined || lastMessage.status === 'completed' || lastMessage.status === 'failed';
  const isWriting = !isStored && phase !== 'done' && phase !== 'failed';
  useTitle(conversation.title || chat.untitled);

  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAtEnd, toEnd } = useFollowEnd(scroller, content);

  useEffect(() => focusIfLost(scroller.current), [lastId, phase]);

  const models = useModels(botId, conversation.model);
  const drafts = useDrafts();
  const asking = useAsking(
    useCallback(
      (begun) => {
        setLeaf(begun.replyId);
        if (begun.isHere && begun.conversationId !== conversationId)
          return navigate({ to: '/c/$conversationId', params: { conversationId: begun.conversationId } });
      },
      [conversationId, navigate],
    ),
  );
  const { send } = asking;
  const { model, isReasoning } = models;
  const common = useMemo(() => ({ conversationId, botId, isReasoning }), [conversationId, botId, isReasoning]);
  const modelId = model?.id ?? conversation.model;

  const latest = useRef(messages);
  latest.current = messages;
  const onShow = useCallback((id: string) => setLeaf(newestBelow(latest.current, id)), []);
  const onAgain = useCallback(
    (questionId: string) => void send({ ...common, model: modelId, parentId: questionId, content: [] }),
    [send, common, modelId],
  );
  const onContinue = useCallback(
    ({ message_id, parent, model: its }: Message) =>
      void send({ ...common, model: its, parentId: message_id, questionId: parent, content: [], isContinuation: true }),
    [send, common],
  );
  const onEdit = useCallback(
    async (message: Message, changed: MessageBody['content']) => {
      // The API does not accept a second first message, so this starts a new chat.
      const newChat = { conversationId: null, parentId: null, isTemporary: temporary, hasMemory: memory, projectId };
      const position = message.parent === null ? newChat : { parentId: message.parent };
      return (await send({ ...common, model: modelId, ...position, content: changed })) !== null;
    },
    [send, common, modelId, temporary, memory, projectId],
  );
  const onChoose = (replyId: string, chosen: string) => {
    comparisons.close(conversationId);
    setLeaf(replyId);
    models.onModel(chosen);
    focusComposer(scroller.current);
    // The other replies may not be loaded yet.
    void queryClient.invalidateQueries({ queryKey: ['conversation', conversationId] });
  };

  // An edited message replaces the messages after its parent.
  const { sending } = asking;
  const cut = sending === null ? -1 : turns.findIndex(({ message }) => message.message_id === sending.parentId);
  // The replies of an open comparison are shown side by side below their question.
  const open = useComparison(conversationId);
  const isComparing = open !== undefined && cut < 0 && (lastId === open.id || lastMessage?.parent === open.questionId);
  const end = isComparing ? -1 : cut >= 0 ? cut + 1 : turns.length;
  const shown = useMemo(() => turns.slice(0, end), [turns, end]);
  const comparison = useDeferredValue(isComparing ? open : undefined);

  // Many messages are rendered in steps, so that typing is not blocked.
  const drawn = useDeferredValue(shown, NOTHING);
  useKeepPlace(scroller, drawn[0]?.message.message_id);

  return (
    <ArtifactArea turns={turns}>
      <ChatHeader conversation={conversation} bot={models.bot} />
      <div className="relative min-h-0 grow">
        {/* Contained, so that typing below does not paint the messages, and their texts for screen readers do not make the page higher. */}
        <div
          ref={scroller}
          className="h-full overflow-y-auto contain-strict print:h-auto print:overflow-visible print:contain-none"
          tabIndex={-1}
          role="region"
          aria-label={chat.messages}
        >
          <div ref={content}>
            <div className="mx-auto flex w-full max-w-3xl flex-col gap-6 px-6 py-6 max-sm:px-4">
              <EarlierMessages conversation={conversation} />
              {linked && (
                <Suspense>
                  <LinkedMessage conversation={conversation} id={linked} />
                </Suspense>
              )}
              <TurnList
                conversationId={conversationId}
                turns={drawn}
                nameOf={models.nameOf}
                onShow={onShow}
                onEdit={onEdit}
                onAgain={onAgain}
                onContinue={onContinue}
              />
              {sending !== null && <PendingQuestion content={sending.content} />}
            </div>
            {comparison && (
              <Suspense>
                <ComparisonView
                  conversationId={conversationId}
                  comparison={comparison}
                  messages={messages}
                  nameOf={models.nameOf}
                  onChoose={onChoose}
                />
              </Suspense>
            )}
          </div>
        </div>
        {!isAtEnd && (
          <Button
            size="small"
            className="absolute! bottom-2 print:hidden start-1/2 -translate-x-1/2 rounded-full! shadow-raised rtl:translate-x-1/2"
            onPress={toEnd}
          >
            {chat.latest}
            <ArrowDown aria-hidden className="size-4" />
          </Button>
        )}
      </div>
      <div className="mx-auto w-full max-w-3xl px-6 pt-1 pb-4 max-sm:px-3 max-sm:pb-3 print:hidden">
        <Composer
          draft={conversationId}
          drafts={drafts}
          placeholder={chat.placeholder}
          disabledReason={models.disabledReason}
          isSending={sending !== null}
          heldReason={isComparing ? chat.chooseReply : null}
          isWriting={isWriting && !isComparing}
          canSee={models.canSee}
          onStop={() => void stopReply(conversationId, lastId)}
          onBot={(bot) => {
            const draft = draftOfBot(bot);
            drafts.keepPrivacy(draft, stricter(drafts.privacyOf(draft), { isTemporary: temporary, hasMemory: memory }));
            void navigate({ to: '/', search: { bot, ...(projectId !== null && { project: projectId }) } });
          }}
          error={<SendError failure={asking.failure} />}
          choices={() => <Choices {...models} />}
          onSend={(its) => {
            toEnd();
            return send(
              { ...common, model: modelId, parentId: lastMessage?.message_id ?? null, content: its },
              models.compared.map(({ id }) => id),
            );
          }}
        />
      </div>
      <Announcer replyId={isComparing ? undefined : lastId} />
    </ArtifactArea>
  );
}
