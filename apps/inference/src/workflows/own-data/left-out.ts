/** Items that the manifest lists individually. More are only counted. */
export const MOST_NAMED = 1_000;

export interface LeftOut {
  readonly what: 'message' | 'file' | 'bot' | 'kind';
  /** Null for a whole kind of data. */
  readonly id: string | null;
  readonly reason: string;
}

/** Kinds of data that no archive includes. */
const KINDS: readonly LeftOut[] = [
  {
    what: 'kind',
    id: null,
    reason: 'temporary_conversations: they are in no export, and are deleted a few hours after their last message.',
  },
  { what: 'kind', id: null, reason: 'deleted_conversations: their content is destroyed.' },
  { what: 'kind', id: null, reason: 'published_apis: conversations of programs with your published bots belong to the published API.' },
  { what: 'kind', id: null, reason: 'bot_files: GET /bot/{botId}/export?files=true has the files of a bot.' },
  { what: 'kind', id: null, reason: 'bot_pictures: GET /bot/{botId}/picture/{pictureId} has the picture of a bot.' },
  { what: 'kind', id: null, reason: 'shared_bots: bots of other users that you may use or change are theirs.' },
  { what: 'kind', id: null, reason: 'older_usage: usage and cost are kept for 13 months.' },
  { what: 'kind', id: null, reason: 'older_calls: calls of models by programs are listed for the days of callRetentionDays.' },
];

/** The data that an archive does not include, with reasons. */
export class LeftOutList {
  private readonly named: LeftOut[] = [];
  private more = 0;

  add(what: LeftOut['what'], id: string, reason: string): void {
    if (this.named.length < MOST_NAMED) this.named.push({ what, id, reason });
    else this.more++;
  }

  inManifest(): { readonly left_out: readonly LeftOut[]; readonly left_out_more: number } {
    return { left_out: [...KINDS, ...this.named], left_out_more: this.more };
  }
}
