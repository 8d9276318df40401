/** A client whose sessions send nothing. */
export const idle = {
  options: { retryWrites: true },
  startSession: () => ({ serverSession: { txnNumber: 0 }, endSession: async () => undefined }),
};
