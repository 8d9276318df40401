import { z } from 'zod';
import { actionOn } from '../audit-action.ts';
import { type DataOf, id, publicEvent, userId } from '../public-event.ts';

const onHold = actionOn('hold');

const heldSubject = {
  hold_id: id.describe('ID of the hold.'),
  user_id: userId.optional().describe('ID of the user on hold; absent for a bot.'),
  bot_id: id.optional().describe('ID of the bot on hold; absent for a user.'),
};

export const HoldPlaced = publicEvent(
  'parlance.identity.hold-placed.v1',
  'Published when an administrator places a hold on a user or a bot. It is not deleted, and its conversations are kept.',
  z.strictObject(heldSubject),
  ({ hold_id, ...subject }) => onHold('place_hold', hold_id, subject),
);
export type HoldPlaced = DataOf<typeof HoldPlaced>;

export const HoldEnded = publicEvent(
  'parlance.identity.hold-ended.v1',
  'Published when an administrator ends a hold. What it kept can be deleted again.',
  z.strictObject(heldSubject),
  ({ hold_id, ...subject }) => onHold('end_hold', hold_id, subject),
);
export type HoldEnded = DataOf<typeof HoldEnded>;
