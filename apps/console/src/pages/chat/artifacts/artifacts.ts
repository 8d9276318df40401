import type { ReplyPart } from '../live/reply-parts.ts';
import { type ArtifactKind, kindOf } from './artifact-kind.ts';
import { fencedBlocks } from './fenced-blocks.ts';
import type { ChosenBlock } from './show-artifact.ts';

/** A page, picture or document that a model wrote as a block of code. */
export interface Artifact {
  /** Stays the same while the reply is being written. */
  readonly id: string;
  readonly kind: ArtifactKind;
  /** Empty if it has none. */
  readonly title: string;
  readonly code: string;
  readonly isComplete: boolean;
}

export interface WrittenReply {
  readonly id: string;
  readonly parts: readonly ReplyPart[];
  readonly isWriting: boolean;
}

/** The artifacts of a reply, in their order. */
export function artifactsIn({ id, parts, isWriting }: WrittenReply): readonly Artifact[] {
  const blocks = parts.flatMap((part, index) => {
    if (part.kind !== 'text') return [];
    const isGrowing = isWriting && index === parts.length - 1;
    return fencedBlocks(part.text).map((block) => ({ ...block, isComplete: block.isClosed || !isGrowing }));
  });
  return blocks.flatMap(({ language, code, isComplete }, index) => {
    const kind = kindOf(language, code);
    return kind === null ? [] : [{ id: `${id}/${index}`, kind, title: titleOf(kind, code), code, isComplete }];
  });
}

/** Bounded, so that long code is searched quickly. */
const TITLE_ELEMENT = /<title[^<>]{0,200}>([^<]{1,200})<\/title/i;
const FIRST_HEADING = /^#{1,6}[ \t]{1,9}(\S.{0,199})/m;

function titleOf(kind: ArtifactKind, code: string): string {
  if (kind === 'mermaid') return '';
  const [, title = ''] = (kind === 'markdown' ? FIRST_HEADING : TITLE_ELEMENT).exec(code) ?? [];
  return title.replaceAll(/\s+/g, ' ').trim();
}

/** All versions of an artifact, the oldest first: artifacts of the same kind with the same title. */
export const versionsOf = (all: readonly Artifact[], { kind, title }: Artifact): readonly Artifact[] =>
  all.filter((each) => each.kind === kind && each.title === title);

/** The artifact of the block whose button was pressed. The block may have grown since. Of equal ones, the newest. */
export function artifactOf(all: readonly Artifact[], { kind, code }: Pick<ChosenBlock, 'kind' | 'code'>): Artifact | undefined {
  const same = all.filter((each) => each.kind === kind);
  return same.findLast((each) => each.code === code) ?? same.findLast((each) => !each.isComplete && each.code.startsWith(code));
}

/** The artifact that is shown. */
export interface Choice {
  readonly id: string;
  /** Whether a newer version replaces it as soon as one is written. */
  readonly followsNewest: boolean;
}

export const choiceOf = (all: readonly Artifact[], shown: Artifact): Choice => ({
  id: shown.id,
  followsNewest: versionsOf(all, shown).at(-1)?.id === shown.id,
});

/** The artifact to show and all its versions. Undefined if it is not in the shown branch of the chat. */
export function shownOf(all: readonly Artifact[], { id, followsNewest }: Choice) {
  const chosen = all.find((each) => each.id === id);
  if (!chosen) return undefined;
  const versions = versionsOf(all, chosen);
  return { versions, shown: (followsNewest && versions.at(-1)) || chosen };
}
