import type { MessageBody } from '@parlance/client/types';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Timer } from 'lucide-react';
import { type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { starterTitle } from '../../messages/guide-starters.ts';
import { useMessages } from '../../messages/index.ts';
import { useConfig } from '../../session/use-me.ts';
import { BotIcon } from '../bots/icon/bot-icon.tsx';
import { FirstSteps } from '../entry/first-run/first-steps.tsx';
import { lazyPart, Nothing } from '../../ui/lazy-part.tsx';
import { useTitle } from '../../ui/page.tsx';
import { ChoiceToggle, Choices } from './composer/choices.tsx';
import { Composer } from './composer/composer.tsx';
import { draftOfBot, NEW_CHAT, NOT_PRIVATE, type Privacy, stricter } from './composer/drafts.ts';
import { useDrafts } from './composer/use-drafts.ts';
import { WithoutMemoryToggle } from './composer/without-memory-toggle.tsx';
import { PendingQuestion } from './conversation/pending-question.tsx';
import { SendError } from './conversation/send-error.tsx';
import { useAsking } from './conversation/use-asking.ts';
import { useModels } from './conversation/use-models.ts';

const ProjectOfNewChat = lazyPart(() => import('../projects/project-of-new-chat.tsx'), 'ProjectOfNewChat', Nothing);
const BotShelf = lazyPart(() => import('../bots/shelf/bot-shelf.tsx'), 'BotShelf', Nothing);

const route = getRouteApi('/signed-in/');

/** The page on which a chat starts, with or without a bot. */
export function NewChatPage() {
  const { bot = null, ask, model, project = null } = route.useSearch();
  const carried = useRef(NOT_PRIVATE);
  return (
    <NewChat
      key={`${bot}\n${ask}\n${model}\n${project}`}
      botId={bot}
      ask={ask}
      wanted={model ?? null}
      projectId={project}
      carried={carried}
    />
  );
}

interface Props {
  readonly botId: string | null;
  readonly ask: string | undefined;
  readonly wanted: string | null;
  readonly projectId: string | null;
  /** What was chosen on this page before a bot was. */
  readonly carried: RefObject<Privacy>;
}

function NewChat({ botId, ask, wanted, projectId, carried }: Props) {
  const { chat, common } = useMessages();
  const navigate = useNavigate();
  const models = useModels(botId, wanted);
  const drafts = useDrafts();
  const { bot, model, isReasoning } = models;
  const draft = botId === null ? NEW_CHAT : draftOfBot(botId);
  const [privacy, setPrivacy] = useState(() => stricter(drafts.privacyOf(draft), botId === null ? NOT_PRIVATE : carried.current));
  const onPrivacy = (change: Partial<Privacy>) => setPrivacy({ ...privacy, ...change });
  useEffect(() => {
    carried.current = privacy;
    drafts.keepPrivacy(draft, privacy);
  }, [carried, drafts, draft, privacy]);
  const { isTemporary, hasMemory } = privacy;
  const hours = useConfig().data?.temporary_chat_hours;
  const asking = useAsking(
    useCallback(
      ({ conversationId, isHere }) => isHere && navigate({ to: '/c/$conversationId', params: { conversationId }, replace: true }),
      [navigate],
    ),
  );
  useTitle(bot?.title ?? common.newChat);
  const send = async (content: MessageBody['content'], isDraft = false) => {
    const sent = await asking.send(
      { conversationId: null, botId, model: model?.id ?? null, isReasoning, ...privacy, projectId, parentId: null, content },
      models.compared.map(({ id }) => id),
    );
    if (sent !== null && (isDraft || drafts.of(draft) === '')) drafts.keepPrivacy(draft, NOT_PRIVATE);
    return sent;
  };
  const starters = bot?.conversation_quick_starters ?? [];

  return (
    <div className="mx-auto flex min-h-full w-full max-w-3xl flex-col justify-center gap-6 px-6 py-8 max-sm:justify-end max-sm:px-3 max-sm:py-3">
      <header className="flex flex-col items-center text-center max-sm:my-auto">
        {bot && <BotIcon bot={bot} size="large" />}
        <h1 className={`text-xl font-semibold ${bot ? 'mt-3' : ''}`}>{bot?.title ?? chat.newTitle}</h1>
        <p className="mx-auto mt-1 max-w-xl text-sm text-muted">{bot ? bot.description : chat.newText}</p>
        {bot !== null && bot.sync_status !== 'SUCCEEDED' && <p className="mt-2 text-xs text-warn">{chat.botNotReady[bot.sync_status]}</p>}
      </header>
      {projectId !== null && !isTemporary && (
        <Suspense>
          <ProjectOfNewChat projectId={projectId} />
        </Suspense>
      )}
      {asking.sending !== null && <PendingQuestion content={asking.sending.content} />}
      <Composer
        asked={ask}
        draft={draft}
        drafts={drafts}
        placeholder={bot ? chat.askBot(bot.title) : chat.placeholder}
        disabledReason={models.disabledReason}
        isSending={asking.sending !== null}
        isWriting={false}
        canSee={models.canSee}
        onStop={() => undefined}
        onBot={(chosen) => {
          drafts.keepPrivacy(draft, NOT_PRIVATE);
          void navigate({ to: '/', search: { bot: chosen, ...(projectId !== null && { project: projectId }) } });
        }}
        error={<SendError failure={asking.failure} />}
        choices={(isEmpty) => (
          <>
            <Choices {...models} />
            <ChoiceToggle icon={Timer} isSelected={isTemporary} onChange={(is) => onPrivacy({ isTemporary: is })}>
              {chat.temporary}
            </ChoiceToggle>
            {!(isEmpty && hasMemory && starters.length === 0) && (
              <WithoutMemoryToggle isSelected={!hasMemory} onChange={(isWithout) => onPrivacy({ hasMemory: !isWithout })} />
            )}
          </>
        )}
        onSend={(content) => send(content, true)}
      />
      <p role="status" className="px-1 text-xs text-muted empty:hidden">
        {isTemporary && <span className="block">{chat.temporaryText(hours)}</span>}
        {!hasMemory && <span className="block">{chat.withoutMemoryText}</span>}
      </p>
      {starters.length > 0 && (
        <ul aria-label={chat.starters} className="grid grid-cols-2 gap-2 max-sm:grid-cols-1">
          {starters.map(({ title, example }) => (
            <li key={`${title}\n${example}`}>
              <button
                type="button"
                disabled={asking.sending !== null || models.disabledReason !== null}
                onClick={() => void send([{ content_type: 'text', body: example }])}
                className="h-full w-full cursor-pointer rounded-md border border-line bg-raised p-3 text-start transition-colors duration-150 hover:bg-surface"
              >
                <span className="block text-sm font-medium">{starterTitle(bot?.title, title)}</span>
                <span className="line-clamp-2 text-xs text-muted">{example}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {botId === null && (
        <Suspense>
          <BotShelf projectId={projectId} />
        </Suspense>
      )}
      {botId === null && <FirstSteps />}
    </div>
  );
}
