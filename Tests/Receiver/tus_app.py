"""tuspyserver of PyPI as an application: uploads are created at /files.

TUS_FOLDER names the folder of the files.
"""

import os

from fastapi import FastAPI
from tuspyserver import create_tus_router

app = FastAPI()
app.include_router(create_tus_router(prefix="files", files_dir=os.environ["TUS_FOLDER"]))


@app.get("/up")
def up():
    return {}
