/** The sources of a bot's knowledge. Each list has no repetitions. */
export interface KnowledgeSources {
  readonly source_urls: readonly string[];
  readonly sitemap_urls: readonly string[];
  readonly s3_urls: readonly string[];
  readonly filenames: readonly string[];
}

/** The sources in a request. Filenames are given as a complete list, or as changes of the current list. */
export interface SourcesRequest {
  readonly source_urls?: readonly string[] | undefined;
  readonly sitemap_urls?: readonly string[] | undefined;
  readonly s3_urls?: readonly string[] | undefined;
  readonly filenames?: readonly string[] | undefined;
  readonly added_filenames?: readonly string[] | undefined;
  readonly deleted_filenames?: readonly string[] | undefined;
  readonly unchanged_filenames?: readonly string[] | undefined;
}

export const NO_SOURCES: KnowledgeSources = { source_urls: [], sitemap_urls: [], s3_urls: [], filenames: [] };

export const hasSources = (sources: KnowledgeSources): boolean =>
  sources.source_urls.length + sources.sitemap_urls.length + sources.s3_urls.length + sources.filenames.length > 0;

/** A contradiction in a request: the list and what is wrong with it. */
export interface SourcesFault {
  readonly path: keyof SourcesRequest;
  readonly message: string;
}

const same = (list: readonly string[]) => [...new Set(list)];

/**
 * The sources after a request. Absent lists do not change. With `unchanged_filenames`, all other current files are removed, even if
 * `deleted_filenames` does not name them.
 */
export function sourcesAfter(request: SourcesRequest, present: KnowledgeSources): KnowledgeSources | SourcesFault {
  const filenames = filenamesAfter(request, present.filenames);
  if ('path' in filenames) return filenames;
  return {
    source_urls: same(request.source_urls ?? present.source_urls),
    sitemap_urls: same(request.sitemap_urls ?? present.sitemap_urls),
    s3_urls: same(request.s3_urls ?? present.s3_urls),
    filenames,
  };
}

function filenamesAfter(request: SourcesRequest, present: readonly string[]): readonly string[] | SourcesFault {
  const { filenames, added_filenames: added, deleted_filenames: deleted, unchanged_filenames: unchanged } = request;
  if (filenames) {
    if (added || deleted || unchanged) return { path: 'filenames', message: 'must not come with added, deleted or unchanged filenames' };
    return same(filenames);
  }
  const current = new Set(present);
  if (unchanged?.some((name) => !current.has(name))) return { path: 'unchanged_filenames', message: 'must only name files of the bot' };
  const removed = new Set(deleted ?? []);
  if (added?.some((name) => removed.has(name))) return { path: 'added_filenames', message: 'must not name a deleted file' };
  if (unchanged?.some((name) => removed.has(name))) return { path: 'unchanged_filenames', message: 'must not name a deleted file' };
  const kept = (unchanged ? same(unchanged) : present).filter((name) => !removed.has(name));
  return same([...kept, ...(added ?? [])]);
}
