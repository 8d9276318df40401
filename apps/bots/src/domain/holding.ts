import { type Decision, endsHold, type Holds, NO_HOLDS, placesHold, Refusal, withHold, withoutHold } from '@parlance/decider';

export type HoldingCommand =
  /** Until the hold ends, the bot is not deleted. */
  { type: 'Hold'; holdId: string } | { type: 'EndHold'; holdId: string };

export type HoldingEvent = { type: 'BotHeld'; holdId: string } | { type: 'BotHoldEnded'; holdId: string };

/** The deletion of a bot and the holds on it are decided on one stream, so exactly one of them wins. */
export function decideHolding({ type, holdId }: HoldingCommand, holds: Holds = NO_HOLDS): Decision<HoldingEvent> {
  if (type === 'EndHold') return endsHold(holds, holdId) ? [{ type: 'BotHoldEnded', holdId }] : [];
  const places = placesHold(holds, holdId);
  if (places instanceof Refusal) return places;
  return places ? [{ type: 'BotHeld', holdId }] : [];
}

export const holdsAfter = ({ type, holdId }: HoldingEvent, holds: Holds = NO_HOLDS): Holds =>
  type === 'BotHeld' ? withHold(holds, holdId) : withoutHold(holds, holdId);
