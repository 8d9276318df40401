import { ArrayMaxSize, IsArray, IsOptional, Length, ValidateBy } from 'class-validator';
import { type KnowledgeSources, sourcesAfter } from '../../domain/knowledge/knowledge-sources.ts';
import { invalid } from './invalid.ts';

const MOST_SOURCE_URLS = 200;
const MOST_SITEMAPS = 20;
export const MOST_FILES = 10_000;
const MOST_OBJECT_STORES = 200;
const LONGEST_URL = 2_048;
const LONGEST_FILE_NAME = 255;

/** The most bytes of all names and URLs of a bot together. Each version of the bot stores them in its event. */
const MOST_BYTES = 1024 * 1024;

/** A list of texts that match a pattern, and pass a check that no pattern can express. */
function Texts(
  most: number,
  longest: number,
  pattern: RegExp,
  message: string,
  isOne: (text: string) => boolean = () => true,
): PropertyDecorator {
  const schema = { type: 'string', minLength: 1, maxLength: longest, pattern: pattern.source };
  const validate = (text: unknown) => typeof text === 'string' && pattern.test(text) && isOne(text);
  const rule = ValidateBy({ name: 'isSource', validator: { validate } }, { each: true, message, context: { schema } });
  return (target, name) => {
    for (const decorate of [IsOptional(), IsArray(), ArrayMaxSize(most), Length(1, longest, { each: true }), rule])
      decorate(target, name as string);
  };
}

const WEB_URL = /^https?:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?$/;
const Urls = (most: number) =>
  Texts(most, LONGEST_URL, WEB_URL, 'must contain only http or https URLs without a user name', (text) => URL.canParse(text));

const S3_URL = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[^\s]*)?$/;
const Buckets = () => Texts(MOST_OBJECT_STORES, LONGEST_URL, S3_URL, 'must contain only URLs such as s3://bucket/prefix/');

/** Names are displayed, and never used as paths. */
// oxlint-disable-next-line no-control-regex
const FILE_NAME = /^[^\s\u0000-\u001f\u007f/\\](?:[^\u0000-\u001f\u007f/\\]*[^\s\u0000-\u001f\u007f/\\])?$/;
const isFileName = (name: string) => FILE_NAME.test(name) && name.isWellFormed();
const Filenames = () =>
  Texts(
    MOST_FILES,
    LONGEST_FILE_NAME,
    FILE_NAME,
    'must contain only names without slashes, control characters, or spaces at either end',
    (name) => name.isWellFormed(),
  );

/** Sources of knowledge. Filenames are given as a complete list, or as changes of the list. */
export class KnowledgeBody {
  @Urls(MOST_SOURCE_URLS) source_urls?: string[];
  @Urls(MOST_SITEMAPS) sitemap_urls?: string[];
  @Buckets() s3_urls?: string[];
  @Filenames() filenames?: string[];
  @Filenames() added_filenames?: string[];
  @Filenames() deleted_filenames?: string[];
  @Filenames() unchanged_filenames?: string[];
}

/** One file in a query string. */
export const FileName = (): PropertyDecorator => (target, name) => {
  const validate = (text: unknown) => typeof text === 'string' && isFileName(text);
  const rule = { name: 'isFileName', validator: { validate } };
  const schema = { type: 'string', minLength: 1, maxLength: LONGEST_FILE_NAME, pattern: FILE_NAME.source };
  for (const decorate of [
    Length(1, LONGEST_FILE_NAME),
    ValidateBy(rule, { message: 'must have no slashes, no control characters, and no spaces at either end', context: { schema } }),
  ])
    decorate(target, name as string);
};

/** The sources after a request. Throws the refusal `invalid_body` (invalid) if its lists contradict each other or are too long. */
export function sourcesOf(knowledge: KnowledgeBody, present: KnowledgeSources): KnowledgeSources {
  const after = sourcesAfter(knowledge, present);
  if ('path' in after) throw invalid(`knowledge.${after.path}`, after.message);
  // The other lists are replaced completely, so validating each request enforces their limits.
  if (after.filenames.length > MOST_FILES) throw invalid('knowledge.filenames', `must have at most ${MOST_FILES} items`);
  if (Buffer.byteLength(JSON.stringify(after)) > MOST_BYTES)
    throw invalid('knowledge', `must have at most ${MOST_BYTES} bytes of names and URLs in all`);
  return after;
}
