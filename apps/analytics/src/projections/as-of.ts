/** How far a read model reaches: the newest event that it includes. */
export interface AsOf {
  /** Its position in the log of its source. */
  position: number;
  /** RFC 3339. */
  time: string;
}
