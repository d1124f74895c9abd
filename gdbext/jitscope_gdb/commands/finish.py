def create() -> None: pass
