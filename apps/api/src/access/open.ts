const openedHandlers = new WeakSet<object>();

/** Opens a route to callers without a key; the reason is for the reader. Without this, and outside the contract, a route is closed. */
export const Open =
  (_reason: string): MethodDecorator =>
  (_target, _name, descriptor) => {
    if (typeof descriptor.value === 'function') openedHandlers.add(descriptor.value);
  };

export const isOpen = (handler: object): boolean => openedHandlers.has(handler);
