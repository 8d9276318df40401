import type { Message } from '@parlance/client/types';
import { useMemo, useRef, useState } from 'react';
import type { Turn } from '../conversation/message-tree.ts';
import type { LiveReply } from '../live/live-reply.ts';
import { useLiveReply } from '../live/replies.ts';
import { partsOf } from '../live/reply-parts.ts';
import { type Artifact, artifactOf, artifactsIn, choiceOf, shownOf } from './artifacts.ts';
import type { ChosenBlock } from './show-artifact.ts';

/** The artifact that is shown, at first the chosen block, with its versions in the shown branch of the chat. */
export function useShownArtifact(turns: readonly Turn[], block: ChosenBlock) {
  const all = useArtifacts(turns);
  const [first] = useState(() => artifactOf(all, block) ?? alone(block));
  const [choice, setChoice] = useState(() => choiceOf(all, first));
  const latest = useRef(first);
  // An artifact of a branch that is no longer shown stays open.
  const { shown, versions } = shownOf(all, choice) ?? { shown: latest.current, versions: [] };
  latest.current = shown;
  return { shown, versions, show: (version: Artifact) => setChoice(choiceOf(all, version)) };
}

/** A block that was not found again, for example because it is indented in an unusual way. */
const alone = ({ kind, code }: ChosenBlock): Artifact => ({ id: '', kind, title: '', code, isComplete: true });

function useArtifacts(turns: readonly Turn[]): readonly Artifact[] {
  const last = turns.at(-1)?.message;
  const live = useLiveReply(last?.message_id ?? '');
  const earlier = useMemo(() => turns.slice(0, -1).flatMap(({ message }) => artifactsOf(message, undefined)), [turns]);
  const newest = useMemo(() => (last ? artifactsOf(last, live) : []), [last, live]);
  return useMemo(() => [...earlier, ...newest], [earlier, newest]);
}

function artifactsOf(message: Message, live: LiveReply | undefined): readonly Artifact[] {
  if (message.role === 'user') return [];
  const isStored = message.status === 'completed' || message.status === 'failed';
  const parts = !isStored && live && live.parts.length > 0 ? live.parts : partsOf(message);
  return artifactsIn({ id: message.message_id, parts, isWriting: !isStored && (live === undefined || live.phase === 'writing') });
}
