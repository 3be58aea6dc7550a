/** Resources that must be closed, in the reverse order of their opening. */
export type Lifecycle = ReturnType<typeof createLifecycle>;

type Close = () => Promise<void> | void;

export function createLifecycle() {
  const closers: Close[] = [];
  let closed: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    const errors: unknown[] = [];
    for (const close of closers.reverse()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) {
      throw new AggregateError(errors, 'Not everything closed');
    }
  };
  return {
    /** Registers how to close a resource that was just opened. */
    onClose: (close: Close): void => void closers.push(close),
    /** Closes everything, once; continues after a failure, and then rejects. */
    close: (): Promise<void> => {
      closed ??= closeAll();
      return closed;
    },
  };
}
