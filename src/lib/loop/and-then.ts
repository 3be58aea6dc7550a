/**
 * Continues with a value: at once, or when its promise is resolved. Most requests wait for nothing, and each promise costs
 * them a turn of the queue of microtasks.
 */
export function andThen<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
