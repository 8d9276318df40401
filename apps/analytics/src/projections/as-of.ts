/** How far a read model reaches: the newest event that it includes. */
export interface AsOf {
  /** Its place in the log of the service that said it. */
  position: number;
  /** RFC 3339. */
  time: string;
}
