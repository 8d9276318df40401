import { createHash } from 'node:crypto';
import type { Chunk, Chunking } from '../chunk.ts';
import { DocumentRefused } from '../document-refused.ts';
import { MAX_WHOLE_TEXT } from '../limits.ts';
import type { Segment } from '../segment.ts';
import { type Embed, groupsOf } from './breakpoints.ts';
import { packed, type Passage } from './packing.ts';
import { tokensOf } from './tokens.ts';
import { joined, type Unit, unitsOf } from './units.ts';

type Found = Passage & { readonly parent: string | null };

function whole(segments: Iterable<Segment>): Found {
  const units: Unit[] = [];
  let length = 0;
  for (const unit of unitsOf(segments, Infinity)) {
    length += unit.gap.length + unit.text.length;
    if (length > MAX_WHOLE_TEXT)
      throw new DocumentRefused(
        'too_large',
        `Without chunking, a file may have ${MAX_WHOLE_TEXT.toLocaleString('en')} characters of text. Choose another chunking, such as fixed_size, or split the file.`,
      );
    units.push(unit);
  }
  const text = joined(units);
  return { units, text, tokens: tokensOf(text), parent: null };
}

async function* passages(segments: Iterable<Segment>, chunking: Chunking, embed?: Embed): AsyncGenerator<Found> {
  switch (chunking.chunking_strategy) {
    case 'none':
      yield whole(segments);
      return;
    case 'fixed_size': {
      const { max_tokens, overlap_percentage } = chunking.fixed_size_chunking_configuration;
      const overlap = Math.floor((max_tokens * overlap_percentage) / 100);
      // Sentences longer than the space that the overlap leaves would push the overlap out.
      for (const passage of packed(unitsOf(segments, Math.max(1, max_tokens - overlap), max_tokens), max_tokens, overlap))
        yield { ...passage, parent: null };
      return;
    }
    case 'semantic': {
      const { max_tokens, buffer_size, breakpoint_percentile_threshold } = chunking.semantic_chunking_configuration;
      const units = [...unitsOf(segments, max_tokens)];
      for (const group of await groupsOf(units, buffer_size, breakpoint_percentile_threshold, embed))
        for (const passage of packed(group, max_tokens, 0)) yield { ...passage, parent: null };
      return;
    }
    case 'hierarchical': {
      const { level_configurations, overlap_tokens } = chunking.hierarchical_chunking_configuration;
      const [parent, child] = level_configurations.map(({ max_tokens }) => max_tokens) as [number, number];
      for (const outer of packed(unitsOf(segments, Math.max(1, child - overlap_tokens), child), parent, 0))
        for (const inner of packed(outer.units, child, overlap_tokens)) yield { ...inner, parent: outer.text };
    }
  }
}

const idOf = (sourceId: string, ordinal: number, text: string) =>
  createHash('sha256').update(`${sourceId}\u0000${ordinal}\u0000${text}`).digest('base64url').slice(0, 27);

/** The chunks of a document, in order. The chunking must be valid. */
export async function* chunksOf(segments: Iterable<Segment>, chunking: Chunking, sourceId: string, embed?: Embed): AsyncGenerator<Chunk> {
  let ordinal = 0;
  for await (const { units, text, tokens, parent } of passages(segments, chunking, embed)) {
    const [first] = units;
    if (first === undefined) continue;
    yield { id: idOf(sourceId, ordinal, text), ordinal, text, parent, page_number: first.page, heading: first.heading, tokens };
    ordinal++;
  }
}
