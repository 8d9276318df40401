/**
 * A point up to which a log is known to be on disk. For an event log: the position of its newest commit, and the ID of that commit's first event.
 * For the embedded broker, whose topics are trimmed: a growing number, and no commit.
 */
export interface Mark {
  readonly position: number;
  readonly commit: string | null;
}

export const NOTHING: Mark = { position: 0, commit: null };

export const isSame = (one: Mark | undefined, other: Mark) => one?.position === other.position && one.commit === other.commit;

/** The state of a log at startup. */
export interface Found {
  /** The installation that the log was created for. Null if the log has no installation ID, or if there is no log. */
  readonly installation: string | null;
  readonly exists: boolean;
  readonly position: number;
  /** The ID of the first event of the commit at the mark's position. */
  readonly commitAtMark: string | null;
}

/** The location of a log's data, and the steps that restore them, as texts. */
export interface Place {
  /** A path, or the name of a database. */
  readonly where: string;
  /** The first remedy. The message continues with "or". */
  readonly remedy: string;
}

/**
 * Thrown at startup if the data of a service are missing, belong to another installation, or are older than before. The message is one line
 * with the remedy. Nothing was changed.
 */
export class LogRefused extends Error {
  constructor(
    readonly log: string,
    { where, remedy }: Place,
    /** The end of a sentence that begins with the name of the data. */
    readonly reason: string,
  ) {
    super(`the data of ${log} (${where}) ${reason}: ${remedy}, or accept the loss with: parlance accept-loss ${log}`);
    this.name = 'LogRefused';
  }
}

/** Thrown at startup if a restore has removed data and has not finished. There is no loss to accept, because the backup has the data. */
export class RestoreUnfinished extends Error {
  /** `begun`: when, if this is known. */
  constructor(begun: Date | null) {
    super(
      `a restore was begun${begun === null ? '' : ` at ${begun.toISOString()}`} and has not finished: wait for it, or if it was interrupted, run the same restore again (parlance restore DIR --replace)`,
    );
    this.name = 'RestoreUnfinished';
  }
}

/** The reason why a log may not be used, as the end of a sentence. Null if the log is the marked one, or has grown since. */
export function objectionTo(found: Found, installation: string, mark: Mark): string | null {
  if (!found.exists) return mark.commit === null ? 'are missing' : `are missing, and reached commit ${mark.position} before`;
  if (found.installation === null) return 'do not belong to this installation';
  if (found.installation !== installation) return `belong to another installation (${found.installation}, not ${installation})`;
  if (found.position < mark.position) {
    return mark.commit === null
      ? 'are older than they were before'
      : `end at commit ${found.position}, but reached commit ${mark.position} before: they are an older copy`;
  }
  if (mark.commit !== null && found.commitAtMark !== mark.commit) {
    return `have a different commit ${mark.position} than before: they are a copy that was continued elsewhere`;
  }
  return null;
}
