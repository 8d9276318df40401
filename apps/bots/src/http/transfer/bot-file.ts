import type { PlainTexts } from '../../commands/bot-writer.ts';
import type { BotSettings } from '../../domain/configuration.ts';
import { type KnowledgeSources, NO_SOURCES } from '../../domain/knowledge/knowledge-sources.ts';
import { yamlOf, type YamlValue } from './yaml-text.ts';

/** The version of the format of exported bots. Other versions are refused. */
export const FORMAT_VERSION = 1;

export interface PlainConfiguration {
  readonly texts: PlainTexts;
  readonly settings: BotSettings;
}

/** A file of an exported bot. A file that was never uploaded only has a name. */
export interface FileEntry {
  readonly name: string;
  /** Path in the archive; absent without an archive. */
  readonly path?: string;
  readonly bytes?: number;
  readonly content_type?: string;
  /** Absent if the files are too large to compute checksums. */
  readonly sha256?: string;
}

/**
 * The bot as YAML: its texts, settings and sources, and a list of its files. It contains nothing about its owner, its sharing and its use, and
 * no picture.
 */
export function botFileOf({ texts, settings: { picture: _, ...settings } }: PlainConfiguration, files: readonly FileEntry[]): string {
  const { source_urls, sitemap_urls, s3_urls } = sourcesIn(texts);
  const starters = texts.quickStarters === '' ? [] : (JSON.parse(texts.quickStarters) as YamlValue);
  return yamlOf({
    parlance_bot: FORMAT_VERSION,
    title: texts.title,
    description: texts.description,
    instruction: texts.instruction,
    conversation_quick_starters: starters,
    guardrail_blocked_text: texts.blockedText,
    ...(withoutNulls(settings as unknown as YamlValue) as Readonly<Record<string, YamlValue>>),
    knowledge: { source_urls, sitemap_urls, s3_urls },
    files: files as unknown as YamlValue,
  });
}

export const sourcesIn = ({ knowledge }: PlainTexts): KnowledgeSources =>
  knowledge === '' ? NO_SOURCES : (JSON.parse(knowledge) as KnowledgeSources);

/** Leaves out null fields: an absent field of a body corresponds to a null field of an answer. */
function withoutNulls(value: YamlValue): YamlValue {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutNulls(field)]));
}
