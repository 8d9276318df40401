import type { MessageBody } from '@parlance/client/types';
import { ArrowUp, AtSign, Paperclip, Square } from 'lucide-react';
import { lazy, type ClipboardEvent, type KeyboardEvent, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useMessages } from '../../../messages/index.ts';
import { useConfig } from '../../../session/use-me.ts';
import { IconButton } from '../../../ui/button.tsx';
import { COMPOSER_ID, focusComposer } from '../conversation/focus.ts';
import { sendsMessage } from '../../../ui/fields/index.ts';
import { lazyPart, Nothing } from '../../../ui/lazy-part.tsx';
import { contentOf } from './attachment-content.ts';
import { ACCEPTED, type Attachment, withFiles } from './attachments.ts';
import { joinedDrafts, withoutName } from './choosing/typed-name.ts';
import { usePromptInsertion } from './choosing/use-prompt-insertion.ts';
import { useTypedName } from './choosing/use-typed-name.ts';
import { type DraftStore, draftOfBot } from './drafts.ts';
import { DropHint } from './drop-hint.tsx';
import { handedOver } from './handed-over.ts';
import { useFileDrop } from './use-file-drop.ts';
import { useGrowingField } from './use-growing-field.ts';

// Not without the files: they would be sent, or shown, unseen.
const AttachmentList = lazy(async () => ({ default: (await import('./attachment-list.tsx')).AttachmentList }));
// Without a connection, @ and / are just characters.
const BotList = lazyPart(() => import('./choosing/bot-list.tsx'), 'BotList', Nothing);
const PromptList = lazyPart(() => import('./choosing/prompt-list.tsx'), 'PromptList', Nothing);
const FillPromptDialog = lazyPart(() => import('./choosing/fill-prompt-dialog.tsx'), 'FillPromptDialog');

const Dictation = lazyPart(() => import('../speech/dictation.tsx'), 'Dictation', Nothing);

/** Says why no message can be sent. */
const REASON_ID = 'composer-reason';

interface Props {
  /** The chat's key in the drafts. */
  readonly draft: string;
  readonly drafts: DraftStore;
  /** The initial text of the field, instead of the draft. */
  readonly asked?: string | undefined;
  readonly placeholder: string;
  /** Why no message can be sent; null if one can. */
  readonly disabledReason: string | null;
  readonly isSending: boolean;
  /** Why a message can be written but not sent yet. */
  readonly heldReason?: string | null;
  /** Whether a reply is being written: the button then stops it. */
  readonly isWriting: boolean;
  readonly canSee: boolean;
  /**
   * Resolves with the draft key of the chat that received the message; a new chat gets its key with its first message. Null if the message
   * was not sent: it then stays in the field.
   */
  readonly onSend: (content: MessageBody['content']) => Promise<string | null>;
  readonly onStop: () => void;
  /** Opens a new chat with a bot. The text and the files are then in its draft. */
  readonly onBot: (botId: string) => void;
  readonly error: ReactNode;
  /** The model and other choices. Some are offered once the user writes. */
  readonly choices: (isEmpty: boolean) => ReactNode;
}

/** The field for writing a message. Enter sends it, Shift+Enter starts a new line, @ chooses a bot, / a prompt. */
export function Composer({
  draft,
  drafts,
  asked,
  placeholder,
  disabledReason,
  isSending,
  heldReason = null,
  isWriting,
  canSee,
  onSend,
  onStop,
  onBot,
  error,
  choices,
}: Props) {
  const { chat } = useMessages();
  const transcriber = useConfig().data?.transcription_model;
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => asked ?? drafts.of(draft));
  const latest = useRef(text);
  latest.current = text;
  const [attachments, setAttachments] = useState<readonly Attachment[]>(() => handedOver.get(draft) ?? []);
  const attached = useRef(attachments);
  attached.current = attachments;
  const [problems, setProblems] = useState<readonly string[]>([]);
  useGrowingField(field, text);
  useEffect(() => {
    handedOver.delete(draft);
    // Puts the cursor at the end of the draft.
    field.current?.setSelectionRange(-1, -1);
    focusComposer(null);
  }, [draft]);

  // Text typed between the first message of a new chat and the opening of its page belongs to that chat.
  const draftKey = useRef(draft);
  useEffect(() => {
    if (!isSending) draftKey.current = draft;
  }, [isSending, draft]);
  const attach = (files: readonly Attachment[]) => {
    setAttachments(files);
    if (draftKey.current !== draft) handedOver.set(draftKey.current, files);
  };
  const type = (its: string) => {
    setText(its);
    drafts.keep(draftKey.current, its);
  };
  const { typed, onCursor, onLeave, onDismiss, begin } = useTypedName(field, text, type);
  const insertion = usePromptInsertion(field, () => latest.current, type);
  const chooseBot = ({ id }: { readonly id: string }) => {
    if (typed === null) return;
    const rest = withoutName(text, typed);
    const botDraft = draftOfBot(id);
    if (botDraft === draft) {
      type(rest);
      return;
    }
    type('');
    drafts.keep(botDraft, joinedDrafts(rest, drafts.of(botDraft)));
    if (attachments.length > 0) handedOver.set(botDraft, attachments);
    setAttachments([]);
    onBot(id);
  };
  const add = (files: readonly File[]) => {
    const next = withFiles(attachments, files);
    attach(next.attachments);
    const noSight = next.attachments.some(({ kind }) => kind === 'image') && !canSee ? [chat.noVision] : [];
    setProblems([...next.refused.map(({ name, reason }) => chat.fileRefused[reason](name)), ...noSight]);
  };
  const isEmpty = text.trim() === '' && attachments.length === 0;
  const mayNotSend = isEmpty || isSending || heldReason !== null || isWriting || disabledReason !== null;
  const isReading = useRef(false);
  const send = async () => {
    if (mayNotSend || isReading.current) return;
    // The message's files are read before it is sent.
    isReading.current = true;
    const [sentText, sentFiles] = [text, attachments];
    setText('');
    setAttachments([]);
    setProblems([]);
    const chatOfIt = await contentOf(sentText.trim(), sentFiles)
      .then(onSend)
      .catch(() => null);
    isReading.current = false;
    // Keeps text and files that were added meanwhile. The draft differs if the user left the page and came back.
    const newer = latest.current;
    const isOwn = [sentText, newer].includes(drafts.of(draft));
    if (chatOfIt !== null) {
      if (isOwn) {
        drafts.keep(draft, '');
        drafts.keep(chatOfIt, newer);
      }
      if (chatOfIt !== draft && attached.current.length > 0) handedOver.set(chatOfIt, attached.current);
      draftKey.current = chatOfIt;
      return;
    }
    (isOwn ? type : setText)(newer.trim() === '' ? sentText : `${sentText}\n\n${newer}`);
    setAttachments(
      (added) =>
        withFiles(
          sentFiles,
          added.map(({ file }) => file),
        ).attachments,
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!sendsMessage(event)) return;
    event.preventDefault();
    void send();
  };
  const onPaste = (event: ClipboardEvent) => {
    const { files } = event.clipboardData;
    if (files.length === 0) return;
    event.preventDefault();
    add([...files]);
  };
  const isOver = useFileDrop(add);

  return (
    <form
      aria-label={chat.composer}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      className="flex flex-col gap-2"
    >
      {isOver && <DropHint />}
      {error}
      {problems.length > 0 && (
        <div role="alert" className="text-xs text-bad">
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      )}
      <div
        className={`relative rounded-md border bg-raised focus-within:border-accent ${isOver ? 'border-accent bg-accent-soft' : 'border-control'}`}
      >
        <Suspense>
          {typed?.kind === 'bot' && <BotList field={field} query={typed.query} onChoose={chooseBot} onDismiss={onDismiss} />}
          {typed?.kind === 'prompt' && (
            <PromptList field={field} query={typed.query} onChoose={({ id }) => insertion.choose(id, typed)} onDismiss={onDismiss} />
          )}
          {insertion.filling && <FillPromptDialog prompt={insertion.filling.prompt} onFill={insertion.fill} onClose={insertion.cancel} />}
        </Suspense>
        {attachments.length > 0 && (
          <Suspense>
            <AttachmentList attachments={attachments} onRemove={(id) => attach(attachments.filter((each) => each.id !== id))} />
          </Suspense>
        )}
        <textarea
          ref={field}
          id={COMPOSER_ID}
          rows={1}
          value={text}
          aria-label={chat.message}
          placeholder={placeholder}
          aria-describedby={REASON_ID}
          disabled={disabledReason !== null}
          aria-autocomplete="list"
          onChange={({ target }) => {
            type(target.value);
            onCursor();
          }}
          onSelect={onCursor}
          onBlur={onLeave}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          dir="auto"
          className="block field-sizing-content max-h-70 w-full resize-none bg-transparent px-4 pt-3 pb-1 text-sm outline-none placeholder:text-muted disabled:opacity-60"
        />
        <div className="flex items-center gap-1 px-2 pb-2">
          <FileTrigger allowsMultiple acceptedFileTypes={ACCEPTED.split(',')} onSelect={(files) => files && add([...files])}>
            <IconButton label={chat.attach} isDisabled={disabledReason !== null}>
              <Paperclip aria-hidden className="size-4.5" />
            </IconButton>
          </FileTrigger>
          <IconButton label={chat.chooseBot} isDisabled={disabledReason !== null} onPress={begin}>
            <AtSign aria-hidden className="size-4.5" />
          </IconButton>
          <div className="flex min-w-0 grow flex-wrap items-center gap-1">{choices(isEmpty)}</div>
          {transcriber && (
            <Suspense>
              <Dictation
                key={draft}
                model={transcriber}
                isDisabled={disabledReason !== null}
                field={field}
                text={() => latest.current}
                type={type}
              />
            </Suspense>
          )}
          {isWriting ? (
            <IconButton label={chat.stop} onPress={onStop} className="bg-text! text-bg!">
              <Square aria-hidden className="size-3.5 fill-current" />
            </IconButton>
          ) : (
            <IconButton type="submit" label={chat.send} isDisabled={mayNotSend} className="bg-accent! text-on-accent!">
              <ArrowUp aria-hidden className="size-5" />
            </IconButton>
          )}
        </div>
      </div>
      <p id={REASON_ID} role="status" className="px-1 text-xs text-warn empty:hidden">
        {disabledReason ?? heldReason}
      </p>
    </form>
  );
}
