import { useEffect, useRef, useState } from 'react';
import { messages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { errorText } from '../../../api/error-text.ts';
import { BEGUN, type Turn, turnAfter } from './try-turn.ts';

/** A trial chat with a bot. Its conversation is deleted when the user starts over or closes the panel. */
export function useTryChat(botId: string) {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const conversation = useRef<string | null>(null);
  const reply = useRef<{ readonly stop: AbortController; messageId: string | null } | null>(null);

  const drop = () => {
    reply.current?.stop.abort();
    const id = conversation.current;
    conversation.current = null;
    // A conversation that could not be deleted appears in the list of chats.
    if (id !== null) void parlance.conversations.delete(id).catch(() => undefined);
  };
  useEffect(() => drop, []);

  const send = async (question: string) => {
    const stop = new AbortController();
    const current = { stop, messageId: null as string | null };
    reply.current = current;
    let turn: Turn = { ...BEGUN, question };
    let isShown = false;
    // Events arrive faster than they can be painted.
    const show = () => {
      if (isShown) return;
      isShown = true;
      requestAnimationFrame(() => {
        isShown = false;
        if (reply.current === current) setTurns((before) => [...before.slice(0, -1), turn]);
      });
    };
    setTurns((before) => [...before, turn]);
    try {
      const body = {
        bot_id: botId,
        conversation_id: conversation.current,
        message: { content: [{ content_type: 'text' as const, body: question }] },
      };
      for await (const event of parlance.conversations.stream(body, { signal: stop.signal })) {
        if (event.event === 'start') {
          conversation.current = event.data.conversation_id;
          current.messageId = event.data.message_id;
        }
        turn = turnAfter(turn, event);
        show();
      }
    } catch (error) {
      turn = stop.signal.aborted
        ? { ...turn, state: 'stopped', note: messages().bots.editor.try.stopped }
        : { ...turn, state: 'failed', note: errorText(error) };
      show();
    }
  };

  const stop = async () => {
    const { current } = reply;
    if (current?.messageId !== null && current && conversation.current !== null) {
      await parlance.conversations.cancel(conversation.current, current.messageId);
    } else current?.stop.abort();
  };

  const startOver = () => {
    drop();
    reply.current = null;
    setTurns([]);
  };

  return { turns, send, stop, startOver, isWriting: turns.at(-1)?.state === 'writing' };
}
