import { type Decider, endsHold, type Holds, NO_HOLDS, placesHold, Refusal, withHold, withoutHold } from '@parlance/decider';

export type HeldSubjectCommand = { type: 'Place'; holdId: string } | { type: 'End'; holdId: string };
export type HeldSubjectEvent = { type: 'SubjectHeld'; holdId: string } | { type: 'SubjectHoldEnded'; holdId: string };

/** The holds on a user or a bot. Its conversations are not deleted while there is one. */
export const heldSubject: Decider<HeldSubjectCommand, HeldSubjectEvent, Holds> = {
  initialState: NO_HOLDS,

  decide({ type, holdId }, holds) {
    if (type === 'End') return endsHold(holds, holdId) ? [{ type: 'SubjectHoldEnded', holdId }] : [];
    const places = placesHold(holds, holdId);
    if (places instanceof Refusal) return places;
    return places ? [{ type: 'SubjectHeld', holdId }] : [];
  },

  evolve: (holds, { type, holdId }) => (type === 'SubjectHeld' ? withHold(holds, holdId) : withoutHold(holds, holdId)),
};

export type SubjectKind = 'user' | 'bot';

/** The name of the stream without its prefix. */
export const heldSubjectId = (kind: SubjectKind, id: string) => `${kind}.${id}`;

export const heldSubjectStream = (subjectId: string) => `holds-${subjectId}`;
