import type { ConversationEvent } from '../conversation-events.ts';
import type { Conversation } from '../conversation-state.ts';

/** Turns the memory on or off for a conversation, if that is a change. `isOn`: undefined if it was not requested. */
export function memoryTurned(userId: string, isOn: boolean | undefined, state: Conversation): ConversationEvent[] {
  if (isOn === undefined || isOn !== (state.isWithoutMemory === true)) return [];
  return [{ type: isOn ? 'ConversationMemoryTurnedOn' : 'ConversationMemoryTurnedOff', userId }];
}
