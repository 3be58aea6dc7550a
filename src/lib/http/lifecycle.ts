/** Resources that must be closed, in the reverse order of their opening. */
export interface Lifecycle {
  /** Registers how to close a resource that was just opened. */
  onClose(close: () => Promise<void> | void): void;
  /** Closes everything, once; continues after a failure, and then rejects. */
  close(): Promise<void>;
}

export function createLifecycle(): Lifecycle {
  const closers: (() => Promise<void> | void)[] = [];
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
    onClose: (close) => closers.push(close),
    close: () => {
      closed ??= closeAll();
      return closed;
    },
  };
}
