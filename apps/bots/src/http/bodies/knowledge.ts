import { refuse } from '@parlance/decider';
import { ArrayMaxSize, IsArray, IsOptional, Length } from 'class-validator';

export const MOST_SOURCE_URLS = 200;
export const MOST_SITEMAPS = 20;
export const MOST_FILES = 10_000;
export const MOST_OBJECT_STORES = 200;
const LONGEST_URL = 2_048;
const LONGEST_FILE_NAME = 255;

/** A list of texts with a length of their own. */
function Texts(most: number, longest: number): PropertyDecorator {
  return (target, name) => {
    for (const decorate of [IsOptional(), IsArray(), ArrayMaxSize(most), Length(1, longest, { each: true })])
      decorate(target, name as string);
  };
}

/** Sources of knowledge. Filenames are given as a whole list, or as changes of it. */
export class KnowledgeBody {
  @Texts(MOST_SOURCE_URLS, LONGEST_URL) source_urls?: string[];
  @Texts(MOST_SITEMAPS, LONGEST_URL) sitemap_urls?: string[];
  @Texts(MOST_OBJECT_STORES, LONGEST_URL) s3_urls?: string[];
  @Texts(MOST_FILES, LONGEST_FILE_NAME) filenames?: string[];
  @Texts(MOST_FILES, LONGEST_FILE_NAME) added_filenames?: string[];
  @Texts(MOST_FILES, LONGEST_FILE_NAME) deleted_filenames?: string[];
  @Texts(MOST_FILES, LONGEST_FILE_NAME) unchanged_filenames?: string[];
}

/** Throws the refusal `knowledge_not_available` (invalid) for knowledge that is not empty: this version cannot ingest it. */
export function refuseKnowledge(knowledge: KnowledgeBody | undefined): void {
  const [path] = Object.entries(knowledge ?? {}).find(([, sources]) => ((sources as string[] | undefined) ?? []).length > 0) ?? [];
  if (path === undefined) return;
  const message = 'must be empty, because this version cannot read knowledge yet';
  throw refuse('invalid', 'knowledge_not_available', 'This version cannot read knowledge yet. Leave its lists empty.', {
    errors: [{ path: `knowledge.${path}`, message }],
  });
}
